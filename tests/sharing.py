"""Distributes test files over the processes of `pytest -n`. Depends on folders and files, but not on tests.

The processes of a run share no memory: what the tests of a folder derive once is derived in each process that runs some
of them. A slow file that is started last keeps one process busy while the others are idle. A process takes longer to
fork the more the tests before have left in its memory.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from xdist.scheduler import LoadFileScheduling

#: tests that fork their process, which takes two to four times as long after all others
FORKING: Final = (
    "tests/shine/front/tuner",
    "tests/test_soak.py",
    "tests/cli/test_tune.py",
    "tests/test_docs.py",
)
#: folders whose files need the same derivations or the same syntax trees
TOGETHER: Final = ("tests/strategies", "tests/cuda", "tests/cases", "tests/shine/front/tuner", "tests/laws")
#: what is started first, the slowest first; of the others, files with the most tests come first
LONG: Final = (
    *FORKING,
    *TOGETHER,
    "tests/test_benchmarks.py",
    "tests/test_examples.py",
    "tests/shine/targets/test_scalar_functions.py",
    "tests/shine/targets/cuda/test_arithmetic.py",
    "tests/shine/targets/cuda/test_compiler.py",
    "tests/shine/test_selections.py",
)


class Places(list[str]):
    """A list of distinct texts with fast lookup of their positions."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__(texts)
        self._places = {text: place for place, text in enumerate(texts)}

    def index(self, text: str, *_: Any) -> int:  # type: ignore[override]  # no bounds: each text occurs once
        return self._places[text]


class LongAndTogether(LoadFileScheduling):  # type: ignore[misc]  # of a library without types
    """A file, or a folder whose files share derivations, is run by one process; the slowest are started first.

    Only tests that have not ended are assigned. Tests are looked up and counted whenever one ends, which in xdist's own
    lists takes time linear in the number of tests.
    """

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Places(self.registered_collections[node])

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        test = self.registered_collections[node][item_index]
        scope = self._split_scope(test)
        unit = self.assigned_work[node][scope]
        del unit[test]
        if not unit:
            del self.assigned_work[node][scope]
        self._reschedule(node)

    def _pending_of(self, workload: Mapping[str, Mapping[str, bool]]) -> int:
        return sum(map(len, workload.values()))

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return next((folder for folder in TOGETHER if file.startswith(f"{folder}/")), file)

    def _assign_work_unit(self, node: Any) -> None:
        longest = next((scope for scope in LONG if scope in self.workqueue), None)
        if longest is not None:
            self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)
