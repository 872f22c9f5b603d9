"""Numbers in strategies and passes that do not follow from a record, each with the reason. Keys are patterns, as of
`fnmatch`.
"""

from collections.abc import Mapping

PAPER = "the tile size of the paper's evaluation"
MESSAGE = "the length of what a message shows"
TERM = "the size of terms that rules build, whatever runs them"
GPU = "open: formulas over the records of GPUs are to take its place"
GCC = "what gcc does with short loops, on every processor"
RATIO = "how much more work than overhead a loop has to have"
PREFETCH = "measured; no record states the latency of memory or what a prefetcher foresees"

REASONS: Mapping[str, str] = {
    **{
        f"strategies.cpu_gemm:{version}({size})": PAPER
        for version in ("blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "parallel")
        for size in ("rows", "columns", "depth")
    },
    "strategies.tensor_core:tensorCore(*)": "the shape of an instruction, which wmma has for every type of f16",
    "strategies.parts.fragments:epilogueByLanes(*)": "the shape of an instruction, which mma.sync has for f16 and bf16",
    "strategies.tensor_core:wmma(*)": GPU,
    "strategies.tensor_core.ladder:*": GPU,
    "strategies.tensor_core:mmaSync(*)": GPU,
    "strategies.gpu:productTiles(*)": GPU,
    "strategies.gpu_contractions:contractionTiles(*)": GPU,
    "strategies.gpu:blocksAndThreads(*)": GPU,
    "strategies.attention_tiles:queryTiles(*)": GPU,
    "strategies.attention_tiles:MAX_SUMS": GPU,
    "strategies.tensor_core.attention:queryWarps(*)": GPU,
    "strategies.tensor_core.attention:SCORES_ROOM": GPU,
    "strategies.tensor_core.attention:_neighbours": "f16 numbers in a word of 32 bits",
    "strategies.tensor_core.attention:HALF": "what a byte is, on every machine",
    "strategies.tensor_core.attention:SHAPE": "the shape of an instruction, which mma.sync has for f16",
    "strategies.gpu:SHORT_ROW_BYTES": GPU,
    "strategies.parts.pipelines:*(stages)": GPU,
    "strategies.rules.gpu_kernels:*_BYTES": GPU,
    "strategies.fireiron.steps:MMA_SHAPE": "the shape of an instruction, which wmma has for every type of f16",
    "strategies.fireiron.picture:*": "lengths in a picture",
    "strategies.fireiron.schedule:MAX_TILES": "how deep the rules for accumulators in tiles go",
    "strategies.rules.accumulators:*InTiles*": "depths of nests of loops that a rule matches",
    "strategies.rules.strides:*InTiles*": "depths of nests of loops that a rule matches",
    "strategies.gpu_reductions:*": GPU,
    "strategies.spaces.*:MAX_*": "how large a space may be, and what is kept of it",
    "strategies.spaces.models:BYTE_BITS": "what a byte is, on every machine",
    "strategies.spaces.models:FMA_OPERATIONS": "what a multiply-add does, on every machine",
    "strategies.spaces.policies:*": "a parameter of a policy of search, as its authors give it",
    "strategies.stencils:tileStencil(*)": GPU,
    "strategies.transposes:tileTransposed(*)": GPU,
    "strategies.spaces.models:MOST_AHEAD": "more instructions than any processor has begun and not ended",
    "shine.passes.gpu.lay_out_shared:WORTH_A_BARRIER": "bytes that outweigh a barrier, on every architecture",
    "shine.passes.gpu.choose_launch:DEFAULT_THREADS": GPU,
    "shine.passes.gpu.exchange_together:MAX_EXCHANGED_REGISTERS": GPU,
    "shine.passes.gpu.choose_launch:MAX_WORK_RATIO": RATIO,
    "shine.passes.gpu.choose_launch:ASSUMED_ITERATIONS": "what a size is taken for that is not known",
    "shine.passes.gpu.alignment:*_ALIGNMENT": "what PTX demands of addresses on every architecture",
    "shine.passes.gpu.keep_copies:COPY_BYTES": "the sizes that cp.async has on every architecture",
    "strategies.rules.staging:COPIED": "the sizes that cp.async has on every architecture",
    "shine.passes.gpu.accessing_threads:MAX_POINTS": "the time that the compiler takes to enumerate them",
    "strategies.parts.thread_tiles:BATCH_LEVELS": "numbers of dimensions of a grid",
    "strategies.gpu:_grid": "numbers of dimensions of a grid",
    "strategies.gpu:onePerElement": "numbers of dimensions of a grid",
    "strategies.choices:MAX_*": MESSAGE,
    "strategies.costs.option_costs:MAX_NAME_CHARACTERS": MESSAGE,
    "strategies.lookup:MAX_NAMES_IN_HINT": MESSAGE,
    "strategies.parts.parameters:MAX_S*": MESSAGE,
    "strategies.parts.parameters:MAX_COUNT": "what a parameter may be at most, before it is any size",
    "strategies.parts.parameters:MAX_VECTOR_LENGTH": "the widest access of a thread of a GPU, in bytes",
    "strategies.costs.prices:*": "open: prices in additions, which no record has, weighed on two processors",
    "strategies.costs.products:MAX_COORDINATES": TERM,
    "strategies.rules.vector_terms:MAX_LANE_ELEMENTS": TERM,
    "strategies.normal_forms:WRITTEN_OUT": "the number of arguments of a function",
    "strategies.images:STRIP_LINES": "how many lines are computed twice, as a share of the others",
    "strategies.openmp:CHUNKS_PER_SELECTION": RATIO,
    "strategies.openmp:STEPS_PER_*": RATIO,
    "strategies.parts.loop_order:SHORT_ROW": RATIO,
    "strategies.parts.searches:FEWEST_IN_VECTORS": RATIO,
    "strategies.parts.searches:LEAST_BITS": GCC,
    "strategies.parts.machine_tiles:WORD": "the unit of sizes of tiles, in bytes",
    "strategies.parts.machine_tiles:TYPICAL_DEPTH": "what a size is taken for that is not known",
    "strategies.parts.machine_tiles:L2_PER_L1": "what a record without an L2 is taken to have",
    "strategies.parts.register_tiles:WORD_BITS": "the unit of sizes of tiles, in bits",
    "strategies.parts.register_tiles:FEW_*": "how often a matrix is read in place of being transposed once",
    "strategies.parts.machine_tiles:LEAST_COLUMNS": GCC,
    "shine.passes.cpu.choose_threads:WORTH_A_TEAM": "how long a system takes to wake threads, in additions",
    "shine.passes.cpu.mark_loops:MAX_UNROLLED_*": GCC,
    "shine.passes.cpu.mark_loops:MIN_SIMD_ARRAYS": GCC,
    "shine.passes.cpu.mark_loops:VECTOR_ITERATIONS": GCC,
    "shine.passes.cpu.narrow_vectors:MAX_PARTS": "the length of the text that is printed",
    "shine.passes.cpu.peel_borders:MAX_*": "the length of the text that is printed",
    "shine.passes.cpu.peel_borders:MIN_ITERATIONS": RATIO,
    "shine.passes.cpu.prefetch:MORE_THAN_A_TILE": "more bytes than registers have anywhere",
    "shine.passes.cpu.prefetch:MAX_COUNT": "the length of the text that is printed",
    "shine.passes.cpu.prefetch:MIN_SUM_ITERATIONS": RATIO,
    "shine.passes.cpu.prefetch:COPY_DISTANCE": PREFETCH,
    "shine.passes.cpu.prefetch:MIN_ROW_STRIDE": PREFETCH,
    "shine.passes.cpu.prefetch_rows:MIN_ROW_NUMBERS": RATIO,
    "shine.passes.cpu.unroll_and_jam:FEWEST": RATIO,
    "shine.passes.cpu.unroll_and_jam:COLUMNS_AT_ONCE": RATIO,
    "shine.passes.cpu.unroll_and_jam:WIDE_BLOCKS": RATIO,
    "shine.passes.cpu.unroll_and_jam:STEPS": RATIO,
    "shine.passes.refuse_deep_nests:MAX_NESTING": "how deep C compilers take blocks",
}
