"""How the tests run: hypothesis profiles. Knows no test.

`ci` is the default and gives the same examples on every run; `--hypothesis-profile=soak` searches.
"""

from hypothesis import HealthCheck, settings

# A test never times anything: no deadline, and no complaint that an example was slow to make.
UNTIMED = (HealthCheck.too_slow,)

settings.register_profile(
    "ci", derandomize=True, max_examples=50, deadline=None, suppress_health_check=UNTIMED, print_blob=True
)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=UNTIMED)
settings.load_profile("ci")
