"""Rules that ask the whole tree: what another file has decides here."""

from __future__ import annotations

from migrate.model.verdict import Confidence, State
from tests.rules.scanned import Judged, judge_all

LOADS = "void f(CUmodule* m, void* image) { cuModuleLoadData(m, image); }"
COMPILES = "void g(nvrtcProgram p, char* image) { nvrtcGetPTX(p, image); }"
SEEDS = "__global__ void k(curandState* s) { curand_init(1, 0, 0, s); }"


def of_rule(judged: Judged, rule: str) -> list[tuple[str, Confidence | None]]:
    return [(one.path, one.hit.confidence) for one in judged.hits() if one.rule.id == rule]


def test_an_image_is_doubted_where_another_file_compiles_at_run_time() -> None:
    alone = judge_all({"load.cpp": LOADS})
    beside = judge_all({"load.cpp": LOADS, "rtc.cpp": COMPILES})
    same = judge_all({"load.cpp": LOADS + COMPILES, "other.cpp": LOADS})
    assert of_rule(alone, "HA-K063") == [("load.cpp", Confidence.LIKELY)]
    assert of_rule(beside, "HA-K063") == [("load.cpp", Confidence.POSSIBLE)]
    assert of_rule(same, "HA-K063") == [("other.cpp", Confidence.POSSIBLE)]


def test_random_sequences_are_told_once_a_tree() -> None:
    judged = judge_all({"a.cu": "int none;", "b.cu": SEEDS + SEEDS, "c.cu": SEEDS})
    assert [path for path, _ in of_rule(judged, "HA-I035")] == ["b.cu"]


def test_a_build_file_in_a_third_partys_folder_is_vendored() -> None:
    judged = judge_all(
        {"third_party/x/CMakeLists.txt": "enable_language(CUDA)\n"},
        vendored=["third_party/x/CMakeLists.txt"],
    )
    assert {(one.rule.id, one.hit.state) for one in judged.hits()} == {("HA-E001", State.VENDORED)}


def test_a_check_of_the_capability_in_test_code_is_only_possible() -> None:
    text = "import torch\n\nif torch.cuda.get_device_capability() < (8, 0):\n    pass\n"
    said = judge_all({"tests/test_a.py": text, "src/a.py": text}).hits()
    assert {one.path: one.hit.confidence for one in said} == {
        "tests/test_a.py": Confidence.POSSIBLE,
        "src/a.py": Confidence.LIKELY,
    }
