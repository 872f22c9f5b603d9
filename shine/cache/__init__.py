"""Caches built kernels between runs: the directory, its entries, their limits. Independent of compilers.

Only its user may write to the directory, since it contains libraries that are loaded. Entries are built elsewhere and
then renamed, so that processes can share the directory; the least recently used ones are deleted when there are too
many.
"""

from shine.cache.directory import default_directory, directory_of, open_directory
from shine.cache.entries import body_of, digest, is_whole, keep_text, scratch, stored, use
from shine.cache.errors import no_room, readable, trouble
from shine.cache.limits import Contents, Limits, clear, contents, limits_of_user, sweep

__all__ = [
    "Contents",
    "Limits",
    "body_of",
    "clear",
    "contents",
    "default_directory",
    "digest",
    "directory_of",
    "is_whole",
    "keep_text",
    "limits_of_user",
    "no_room",
    "open_directory",
    "readable",
    "scratch",
    "stored",
    "sweep",
    "trouble",
    "use",
]
