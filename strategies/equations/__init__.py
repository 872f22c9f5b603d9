"""Reads equations of rules, compiles them to matchers and builders, inverts and checks them. Independent of rules."""
