"""The target interpret: runs the imperative IR on numpy, without a compiler. The oracle after `rise.evaluate`."""
