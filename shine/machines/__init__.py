"""Identifies this machine's processor from the operating system, the closest record, and measurements.

Used only by `shine/front` and the command. Independent of strategies.
"""

from shine.machines.closest_record import as_processor
from shine.machines.detection import this_machine
from shine.machines.measurements import Measurement, keep, measure, stored_measurement
from shine.machines.system import Facts, facts_of_linux, facts_of_macos, read_facts

__all__ = [
    "Facts",
    "Measurement",
    "as_processor",
    "facts_of_linux",
    "facts_of_macos",
    "keep",
    "stored_measurement",
    "measure",
    "read_facts",
    "this_machine",
]
