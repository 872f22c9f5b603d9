"""A package that behaves like PyCUDA and records its calls, for the tests of the loader."""

from __future__ import annotations

import ctypes
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from shine.targets.cuda import libcuda, loader


class FakePycuda(ModuleType):
    """`pycuda.driver`. `log` has the calls; `fails` is what a call raises."""

    def __init__(self, devices: int = 1) -> None:
        super().__init__("pycuda.driver")
        self.log: list[tuple[Any, ...]] = []
        self.fails: dict[str, Exception] = {}
        self.devices = devices
        fake = self

        class Error(Exception):
            pass

        class Context:
            @staticmethod
            def pop() -> None:
                fake.say("pop")

            def push(self) -> None:
                fake.say("push")

            def detach(self) -> None:
                fake.say("detach")

        class Device:
            def __init__(self, index: int) -> None:
                fake.say("Device", index)

            @staticmethod
            def count() -> int:
                return fake.devices

            def name(self) -> str:
                return "Fake 9000"

            def compute_capability(self) -> tuple[int, int]:
                return (9, 0)

            def retain_primary_context(self) -> Context:
                fake.say("retain_primary_context")
                return Context()

        class Stream:
            made = 0x1000

            def __init__(self) -> None:
                Stream.made += 1
                self.handle = Stream.made
                fake.say("Stream", self.handle)

            def synchronize(self) -> None:
                fake.say("Stream.synchronize", self.handle)

        class Event:
            def record(self, stream: Any) -> Event:
                fake.say("Event.record", stream)
                return self

            def synchronize(self) -> Event:
                fake.say("Event.synchronize")
                return self

            def time_since(self, start: Event) -> float:
                return 2.5

        class Function:
            def set_attribute(self, attribute: Any, value: int) -> None:
                fake.say("set_attribute", attribute, value)

            def prepare(self, types: Any) -> Function:
                fake.say("prepare", tuple(types))
                return self

            def prepared_async_call(
                self, grid: Any, block: Any, stream: Any, *given: Any, **named: Any
            ) -> None:
                fake.say("call", grid, block, stream, given, named)

        self.Error: Any = Error
        for name in ("MemoryError", "LaunchError", "LogicError", "RuntimeError"):
            setattr(self, name, type(name, (Error,), {}))
        self.Context, self.Device, self.Stream, self.Event = Context, Device, Stream, Event
        self.function_attribute = SimpleNamespace(MAX_DYNAMIC_SHARED_SIZE_BYTES="dynamic")
        self.Function = Function

    def say(self, *call: Any) -> None:
        """Record a call."""
        self.log.append(call)
        if call[0] in self.fails:
            raise self.fails[call[0]]

    def init(self) -> None:
        self.say("init")

    def module_from_buffer(self, image: bytes) -> Any:
        self.say("module_from_buffer", image)

        def get_function(name: str) -> Any:
            self.say("get_function", name)
            return self.Function()

        return SimpleNamespace(get_function=get_function)

    def mem_alloc(self, bytes: int) -> Any:
        self.say("mem_alloc", bytes)
        return SimpleNamespace(free=lambda: self.say("free"), __int__=lambda: 4096)

    def memcpy_htod_async(self, target: int, source: Any, stream: Any) -> None:
        self.say("memcpy_htod_async", target, bytes(source), stream)

    def memcpy_dtoh_async(self, target: Any, source: int, stream: Any) -> None:
        self.say("memcpy_dtoh_async", source, stream)
        memoryview(target)[:] = bytes(range(len(target)))

    def memcpy_dtod_async(self, *call: Any) -> None:
        self.say("memcpy_dtod_async", *call)

    def memset_d8_async(self, *call: Any) -> None:
        self.say("memset_d8_async", *call)


class FakeLibrary:
    """The functions of libcuda that are called through ctypes; `log` has the calls, `status` is what they return."""

    def __init__(self) -> None:
        self.log: list[tuple[Any, ...]] = []
        self.status = 0

    def cuEventCreate(self, event: Any, flags: Any) -> int:
        self.log.append(("create", flags.value))
        ctypes.cast(event, ctypes.POINTER(ctypes.c_void_p))[0] = 77
        return self.status

    def cuEventRecord(self, event: Any, stream: Any) -> int:
        self.log.append(("record", event.value, stream.value))
        return 0

    def cuStreamWaitEvent(self, stream: Any, event: Any, flags: Any) -> int:
        self.log.append(("wait", stream.value, event.value, flags.value))
        return 0

    def cuEventDestroy_v2(self, event: Any) -> int:
        self.log.append(("destroy", event.value))
        return 0

    def cuPointerGetAttribute(self, found: Any, attribute: Any, address: Any) -> int:
        self.log.append(("attribute", attribute.value, address.value))
        ctypes.cast(found, ctypes.POINTER(ctypes.c_int))[0] = 3
        return self.status

    def cuGetErrorString(self, status: Any, text: Any) -> int:
        ctypes.cast(text, ctypes.POINTER(ctypes.c_char_p))[0] = b"it broke"
        return 0


def install(patch: pytest.MonkeyPatch, devices: int = 1) -> tuple[FakePycuda, FakeLibrary]:
    """Make the loader find these."""
    fake, library = FakePycuda(devices), FakeLibrary()
    patch.setattr(loader, "import_pycuda", lambda: fake)
    patch.setattr(libcuda, "load", lambda: library)
    loader._open.cache_clear()
    return fake, library
