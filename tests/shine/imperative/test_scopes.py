"""Unique names of declarations: the first free number is appended."""

from __future__ import annotations

from shine.imperative.scopes import Scope


def test_a_taken_name_gets_the_first_free_number() -> None:
    outer = Scope()
    assert [outer.take(key, "x") for key in "abc"] == ["x", "x_1", "x_2"]
    inner = outer.block()
    assert inner.take("d", "x") == "x_3" and inner.take("e", "x_1") == "x_1_1"
    assert outer.take("d", "x_3") == "x_3" and outer.take("f", "x") == "x_4"


def test_names_that_were_never_written_are_given_again() -> None:
    scope = Scope()
    assert [scope.take(key, "x") for key in "abcd"] == ["x", "x_1", "x_2", "x_3"]
    scope.forget("b", "d")
    assert [scope.take(key, "x") for key in "efg"] == ["x_1", "x_3", "x_4"]
