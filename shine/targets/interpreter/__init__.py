"""The target interpret: runs the imperative IR on numpy, without a compiler. A second test oracle beside
`rise.evaluate`.
"""
