"""NPBench's fluid flows, restated: one time step each. Does not measure time."""
# ruff: noqa: F821

import numpy as np

from cases.idioms.idiom import idiom, unit

STEPS = 2


def pressed(p, b, dx, dy):
    """The pressure in the interior, from that of the neighbours."""
    across = (p[1:-1, 2:] + p[1:-1, :-2]) * dy**2
    along = (p[2:, 1:-1] + p[:-2, 1:-1]) * dx**2
    return (across + along - dx**2 * dy**2 * b) / (2 * (dx**2 + dy**2))


def source_of(u, v, dt, dx, dy, rho):
    """The right side of the pressure equation, in the interior."""
    ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
    uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
    vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
    vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
    return rho * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)


def moved(one, u, v, pressure, dt, dx, dy, nu):
    """A component of the velocity after a step, in the interior."""
    m, um, vm = one[1:-1, 1:-1], u[1:-1, 1:-1], v[1:-1, 1:-1]
    carried = um * dt / dx * (m - one[1:-1, :-2]) + vm * dt / dy * (m - one[:-2, 1:-1])
    spread = dt / dx**2 * (one[1:-1, 2:] - 2 * m + one[1:-1, :-2])
    spread = spread + dt / dy**2 * (one[2:, 1:-1] - 2 * m + one[:-2, 1:-1])
    return m - carried - pressure + nu * spread


DT, DX, DY, RHO, NU, FORCE = 1e-3, 0.05, 0.05, 1.0, 0.1, 1.0


def cavity_in_place(u, v, p):
    """One step of the flow, by assignment."""
    b, p = source_of(u, v, DT, DX, DY, RHO), p.copy()
    for _ in range(STEPS):
        p[1:-1, 1:-1] = pressed(p, b, DX, DY)
        p[:, -1], p[0], p[:, 0], p[-1] = p[:, -2], p[1], p[:, 1], 0
    px = DT / (2 * RHO * DX) * (p[1:-1, 2:] - p[1:-1, :-2])
    py = DT / (2 * RHO * DY) * (p[2:, 1:-1] - p[:-2, 1:-1])
    nu, nv = np.zeros_like(u), np.zeros_like(v)
    nu[1:-1, 1:-1] = moved(u, u, v, px, DT, DX, DY, NU)
    nv[1:-1, 1:-1] = moved(v, u, v, py, DT, DX, DY, NU)
    nu[-1] = 1
    return nu, nv, p


@idiom(
    "NPBench cavity_flow (one step)",
    {"M": 512, "N": 512},
    {"M": 32, "N": 32},
    {"M": 5, "N": 6},
    plain=cavity_in_place,
    inputs={"u": unit, "v": unit, "p": unit},
)
def cavity_flow(u: "M.N.f64", v: "M.N.f64", p: "M.N.f64"):
    """Flow in a box with a moving lid."""
    b = source_of(u, v, DT, DX, DY, RHO)
    for _ in range(STEPS):
        inner = pressed(p, b, DX, DY)
        wide = np.concatenate([inner[:, :1], inner, inner[:, -1:]], axis=1)
        # the corner in the first row is a copy of the row below, before the ends of that row are set
        first = np.concatenate([p[1:2, :1], inner[:1], inner[:1, -1:]], axis=1)
        first = np.concatenate([inner[:1, :1], first[:, 1:]], axis=1)
        p = np.concatenate([first, wide, np.zeros_like(p[:1])])
    px = DT / (2 * RHO * DX) * (p[1:-1, 2:] - p[1:-1, :-2])
    py = DT / (2 * RHO * DY) * (p[2:, 1:-1] - p[:-2, 1:-1])
    nu = np.pad(moved(u, u, v, px, DT, DX, DY, NU), 1)
    nv = np.pad(moved(v, u, v, py, DT, DX, DY, NU), 1)
    return np.concatenate([nu[:-1], np.ones_like(nu[:1])]), nv, p


def around(x):
    """The array with its last column added before the first, and its first after the last."""
    return np.concatenate([x[:, -1:], x, x[:, :1]], axis=1)


@idiom(
    "NPBench channel_flow (one step)",
    {"M": 512, "N": 512},
    {"M": 32, "N": 32},
    {"M": 5, "N": 6},
    inputs={"u": unit, "v": unit, "p": unit},
)
def channel_flow(u: "M.N.f64", v: "M.N.f64", p: "M.N.f64"):
    """Flow between two walls, periodic along them."""
    u, v = around(u), around(v)
    b = source_of(u, v, DT, DX, DY, RHO)
    for _ in range(STEPS):
        inner = pressed(around(p), b, DX, DY)
        p = np.concatenate([inner[:1], inner, inner[-1:]])
    q = around(p)
    px = DT / (2 * RHO * DX) * (q[1:-1, 2:] - q[1:-1, :-2])
    py = DT / (2 * RHO * DY) * (q[2:, 1:-1] - q[:-2, 1:-1])
    nu = moved(u, u, v, px, DT, DX, DY, NU) + FORCE * DT
    nv = moved(v, u, v, py, DT, DX, DY, NU)
    walls = ((1, 1), (0, 0))
    return np.pad(nu, walls), np.pad(nv, walls), p
