"""What the table says of PTX instructions: which row speaks of one, and what HIP offers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrate.errors import AssessError
from migrate.knowledge import files, ptx
from migrate.knowledge.archs import known_archs
from migrate.knowledge.files import data_path
from migrate.knowledge.ptx import (
    PtxGroup,
    PtxWork,
    most_work,
    ptx_heads,
    ptx_row,
    ptx_rows,
    special_registers,
)
from migrate.knowledge.sources import known_sources
from migrate.model.target import RocmRelease

ISA_WORDS = """
    abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev
    brkpt brx call clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div
    dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix
    ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mma mov movmatrix mul mul24
    multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt
    sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix
    sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq
    vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2
    vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma xor
"""
ISA_REGISTERS = """
    tid ntid laneid warpid nwarpid ctaid nctaid smid nsmid gridid is_explicit_cluster clusterid
    nclusterid cluster_ctaid cluster_nctaid cluster_ctarank cluster_nctarank lanemask_eq
    lanemask_le lanemask_lt lanemask_ge lanemask_gt clock clock_hi clock64 pm0 pm7 pm0_64 envreg0
    envreg31 globaltimer globaltimer_lo globaltimer_hi reserved_smem_offset_begin
    reserved_smem_offset_end reserved_smem_offset_cap reserved_smem_offset_0 total_smem_size
    aggr_smem_size dynamic_smem_size current_graph_exec
"""
PTX_SPELLINGS = (
    ("add.cc.u32", "add.cc"),
    ("add.f16x2", "add.f16|f16x2|bf16|bf16x2"),
    ("add.rn.ftz.f32x2", "add.f32x2"),
    ("add.rm.ftz.f32x2", "add.f32x2.rz|rm|rp"),
    ("add.s32", "add"),
    ("addc.cc.u32", "addc"),
    ("atom.acq_rel.gpu.global.inc.u32", "atom.inc|dec.relaxed|acquire|release|acq_rel"),
    ("atom.add.release.sys.u32", "atom.relaxed|acquire|release|acq_rel.cta|gpu|sys|cluster"),
    ("atom.relaxed.global.add.u32", "atom.relaxed|acquire|release|acq_rel"),
    ("atom.global.add.f32", "atom"),
    ("bar.arrive", "bar.arrive"),
    ("barrier.cluster.arrive.release.aligned", "barrier.cluster.arrive|wait"),
    ("barrier.cluster.wait.aligned", "barrier.cluster.arrive|wait"),
    ("barrier.cta.sync", "barrier.cta.sync"),
    ("bar.warp.sync", "bar.warp.sync"),
    ("cp.async.bulk.tensor.2d.shared::cluster.global.tile", "cp.async.bulk.tensor"),
    ("cp.async.bulk.wait_group.read", "cp.async.bulk.wait_group"),
    ("cp.async.cg.shared.global.l2::128b", "cp.async"),
    ("cp.async.mbarrier.arrive.noinc.shared.b64", "cp.async.mbarrier"),
    ("cp.async.wait_all", "cp.async.wait_group|wait_all"),
    ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", "cp.reduce.async.bulk"),
    ("cvt.rn.e4m3x2.f32.satfinite", "cvt.e4m3x2|e5m2x2|e4m3|e5m2"),
    ("cvt.rn.f16x2.e4m3x2", "cvt.e4m3x2|e5m2x2|e4m3|e5m2"),
    ("cvt.rn.bf16x2.f32", "cvt.bf16x2"),
    ("cvt.rn.relu.f16x2.f32", "cvt.relu.f16|f16x2|bf16|bf16x2"),
    ("cvt.rn.satfinite.e2m1x2.f32", "cvt.e2m1x2|e2m3x2|e3m2x2"),
    ("cvt.rna.tf32.f32", "cvt.tf32"),
    ("cvt.rni.sat.s8.f16", "cvt.sat.s8|u8|s16|u16|s32|u32|s64|u64"),
    ("cvt.u32.u64", "cvt"),
    ("cvta.to.shared.u64", "cvta.to"),
    ("div.full.f32", "div.approx|full"),
    ("ex2.approx.ftz.f32", "ex2"),
    ("fence.acq_rel.gpu", "fence"),
    ("fence.proxy.async.shared::cta", "fence.proxy"),
    ("fence.proxy.tensormap::generic.acquire.sys", "fence.proxy.tensormap"),
    ("fma.rn.f32", "fma.rn"),
    ("fma.rn.f16x2.relu", "fma.relu.f16|f16x2|bf16|bf16x2"),
    ("fma.rm.f32", "fma.rz|rm|rp"),
    ("ld.acquire.gpu.global.u32", "ld.acquire"),
    ("ld.global.cs.v4.u32", "ld.cs|l1::no_allocate|l1::evict_first"),
    ("ld.global.nc.l1::evict_last.v4.f32", "ld.nc"),
    ("ld.global.nc.l1::no_allocate.v4.f32", "ld.cs|l1::no_allocate|l1::evict_first"),
    ("ld.relaxed.sys.v4.u32", "ld.v4|v8.volatile|relaxed|acquire"),
    ("ld.shared::cluster.u32", "ld.shared::cluster"),
    ("ld.shared::cta.b64", "ld"),
    ("ld.volatile.global.u64", "ld.cv|volatile"),
    ("ld.volatile.global.v4.u32", "ld.v4|v8.volatile|relaxed|acquire"),
    ("ld.volatile.shared.v2.s32", "ld.volatile.shared"),
    ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "ldmatrix"),
    ("lop3.b32", "lop3"),
    ("mad.lo.cc.u32", "mad.cc"),
    ("madc.hi.cc.u32", "madc"),
    ("mbarrier.try_wait.parity.acquire.cta.shared::cta.b64", "mbarrier"),
    ("membar.gl", "membar"),
    ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma"),
    ("mul.wide.u32", "mul.wide"),
    ("multimem.ld_reduce.global.add.v4.f32", "multimem"),
    ("prefetch.param.tensormap", "prefetch.tensormap"),
    ("prmt", "prmt"),
    ("red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.shared::cluster",
     "red.async.relaxed"),
    ("red.global.add.noftz.bf16x2", "red.f16|bf16|f16x2|bf16x2"),
    ("red.release.gpu.global.add.s32", "red.relaxed|acquire|release|acq_rel.cta|gpu|sys|cluster"),
    ("redux.sync.max.u32", "redux"),
    ("redux.sync.min.nan.f32", "redux.f32"),
    ("set.gtu.u32.f16x2", "set.f16|f16x2|bf16|bf16x2"),
    ("setp.ne.b32", "setp"),
    ("shfl.sync.bfly.b32", "shfl.sync"),
    ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32", "st.async"),
    ("st.global.release.sys.b32", "st.release"),
    ("st.shared.v4.b32", "st"),
    ("tanh.approx.f32", "tanh"),
    ("vabsdiff4.u32.u32.u32.add", "vabsdiff4.u32.add"),
    ("wgmma.fence.sync.aligned", "wgmma"),
)  # fmt: skip


def pattern(mnemonic: str, operands: str = "") -> str:
    row = ptx_row(mnemonic, operands)
    return row.pattern if row else ""


@pytest.mark.parametrize("word", ISA_WORDS.split())
def test_every_instruction_of_the_isa_is_known(word: str) -> None:
    assert pattern(word) or any(row.head == word for row in ptx_rows())


@pytest.mark.parametrize("name", ISA_REGISTERS.split())
def test_every_special_register_is_known(name: str) -> None:
    assert len(special_registers(f"mov.u32 %0, %%{name};")) == 1


@pytest.mark.parametrize(("mnemonic", "row"), PTX_SPELLINGS)
def test_the_row_that_says_the_most_of_an_instruction_answers(mnemonic: str, row: str) -> None:
    assert pattern(mnemonic) == row


@pytest.mark.parametrize(
    "mnemonic", ["s_nop", "v_add_f32", "setctarank.shared.u32", "pause", "cpuid", ""]
)
def test_what_is_no_ptx_has_no_row(mnemonic: str) -> None:
    assert ptx_row(mnemonic) is None


def test_barrier_0_of_the_whole_block_is_syncthreads_and_others_are_not() -> None:
    whole = ptx_row("bar.sync", "0")
    assert whole
    assert (whole.work, whole.hip) == (PtxWork.TRIVIAL, "__syncthreads()")
    for operands in ("1", "0, 128", "%0, %1", ""):
        part = ptx_row("bar.sync", operands)
        assert part
        assert part.work is PtxWork.REDESIGN


def test_a_move_with_braces_packs_or_unpacks() -> None:
    assert pattern("mov.b32", "%0, {%1, %2}") == "mov {"
    assert pattern("mov.b32", "%0, %1") == "mov"


def test_special_registers_are_found_by_name_once_each_and_nothing_else_is() -> None:
    text = "mov.u32 %0, %%laneid; mov.u32 t, %tid.x; add.u32 %1, %laneid, %r1; mov.u32 x, WARP_SZ;"
    assert [row.pattern for row in special_registers(text)] == ["%laneid", "%tid", "%warp_sz"]


def test_an_instruction_is_offered_where_every_gpu_of_the_target_has_it() -> None:
    dot = ptx_row("dp4a.s32.s32")
    assert dot
    assert "__builtin_amdgcn_sdot4" in dot.offer(["gfx90a:xnack+", "gfx942"])
    assert "__builtin_amdgcn_sudot4" in dot.offer(["gfx942", "gfx1100"])


@pytest.mark.parametrize(
    ("mnemonic", "written"),
    [
        ("ld.acquire.gpu.global.u32",
         "__hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)"),
        ("st.release.sys.global.u64",
         "__hip_atomic_store(p, x, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM)"),
        ("fence.acq_rel.cta", '__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup")'),
        ("red.relaxed.global.add.u32", "__hip_atomic_fetch_add(p, x, __ATOMIC_RELAXED, scope)"),
    ],
)  # fmt: skip
def test_order_and_scope_of_an_instruction_are_filled_in(mnemonic: str, written: str) -> None:
    row = ptx_row(mnemonic)
    assert row
    assert row.offer(["gfx942"], mnemonic).startswith(written)


def test_what_came_with_a_release_is_not_there_before() -> None:
    shuffle = ptx_row("shfl.sync.idx.b32")
    assert shuffle
    assert [shuffle.there(RocmRelease.parse(text)) for text in ("6.4", "7.0")] == [False, True]


def test_most_work_is_that_of_the_worst_instruction() -> None:
    rows = [row for row in map(ptx_row, ("add.u32", "add.cc.u32", "dp4a.u32.u32")) if row]
    assert most_work(rows) is PtxWork.REWRITE
    assert most_work(()) is PtxWork.DROP


def test_matrix_and_asynchronous_instructions_are_never_small() -> None:
    for row in ptx_rows():
        if row.group is PtxGroup.MATRIX:
            assert row.work is PtxWork.REDESIGN, row.pattern
    assert {row.group for row in ptx_rows()} == set(PtxGroup)


def test_a_row_says_what_to_do_or_why_there_is_nothing() -> None:
    silent = [row.pattern for row in ptx_rows() if not row.hip and not row.note]
    assert not silent


def test_patterns_are_sorted_and_none_stands_twice() -> None:
    patterns = [row.pattern for row in ptx_rows()]
    assert patterns == sorted(patterns)
    assert len(patterns) == len(set(patterns))
    assert {row.head for row in ptx_rows()} == ptx_heads()


def test_a_sentence_in_the_table_ends_and_evidence_is_named() -> None:
    for row in ptx_rows():
        assert not row.note or row.note.endswith((".", "HIP.")), row.pattern
        assert not row.hip.endswith("."), row.pattern
        assert row.evidence, row.pattern
        assert row.archs <= set(known_archs())


@pytest.fixture
def own_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A table of the test's own in place of ptx.csv, with the archs and sources that it needs."""
    known_archs()
    known_sources()
    (tmp_path / "mappings").mkdir()
    monkeypatch.setattr(files, "_PACKAGE", tmp_path / "migrate")
    data_path.cache_clear()
    ptx.ptx_rows.cache_clear()
    yield tmp_path / "mappings" / "ptx.csv"
    data_path.cache_clear()
    ptx.ptx_rows.cache_clear()


def test_rows_that_cannot_be_read_are_shown_together(own_table: Path) -> None:
    header = "pattern,group,class,hip,archs,elsewhere,since,as_of,source,note"
    own_table.write_text(
        f"{header}\n"
        "1st,move,trivial,,,,,2026-10,ptx-isa,\n"
        "add,sums,trivial,,,,,2026-10,ptx-isa,\n"
        "bfe,move,easy,,,,,2026-10,ptx-isa,\n"
        "bfi,move,trivial,x,gfx1,y,,2026-10,ptx-isa,\n"
        "clz,move,trivial,x,gfx12*,,,2026-10,ptx-isa,\n"
        "div,move,trivial,,,,seven,2026-10,ptx-isa,\n"
        "ex2,move,trivial,,,,,2026,ptx-isa,\n"
        "fma,move,trivial,,,,,2026-10,hearsay,\n"
        "min,move,trivial,a,,,,2026-10,ptx-isa,\n"
    )
    with pytest.raises(AssessError) as caught:
        ptx_rows()
    said = re.findall(r"ptx\.csv: (\w+):", str(caught.value))
    assert said == ["1st", "add", "bfe", "bfi", "clz", "div", "ex2", "fma"]
