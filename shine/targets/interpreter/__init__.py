"""The target interpret: the imperative IR on numpy, without a compiler. The second oracle, after
`rise.evaluate`.
"""
