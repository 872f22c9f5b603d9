// `clock` and `clock_t` are there already.
#pragma once
