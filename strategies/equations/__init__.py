"""Rules as equations: read, compiled to matchers and builders, inverted, checked. Independent of rules."""
