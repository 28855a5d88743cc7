"""The verdict on a use, asked once for each distinct question."""

from __future__ import annotations

from migrate.knowledge.apis import ApiTables
from migrate.model.facts import UseKind
from migrate.model.resolution import Evidence, Resolution
from migrate.model.target import Target
from migrate.model.verdict import Confidence, Verdict

_PTX_FAQ = Evidence(
    key="hip-faq",
    title="HIP FAQ: inline PTX assembly is not supported",
    url="https://rocm.docs.amd.com/projects/HIP/en/latest/faq.html",
    as_of="2026-11",
)
_DYNAMIC = Evidence(
    key="hip-porting-guide",
    title="HIP porting guide: dynamic parallelism is not supported",
    url="https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_porting_guide.html",
    as_of="2026-11",
)


class Resolver:
    """Answers for one target; remembers its answers."""

    def __init__(self, tables: ApiTables, target: Target) -> None:
        self._tables = tables
        self._target = target
        self._known: dict[tuple[str, int, int], Resolution] = {}

    def resolve(self, symbol: str, kind: UseKind, arguments: int) -> Resolution:
        """The verdict on a symbol used in a given way; ``arguments`` is -1 where it is no call."""
        form = kind if kind in {UseKind.ASM, UseKind.LAUNCH, UseKind.DEVICE_LAUNCH} else -1
        key = (symbol, int(form), arguments)
        answer = self._known.get(key)
        if answer is None:
            answer = self._known[key] = self._ask(symbol, kind, arguments)
        return answer

    def _ask(self, symbol: str, kind: UseKind, arguments: int) -> Resolution:
        if kind is UseKind.ASM:
            return _inline_ptx(symbol)
        if kind is UseKind.LAUNCH:
            return Resolution(
                name=symbol, library="device", kind="launch", verdict=Verdict.SAME, hip=symbol
            )
        if kind is UseKind.DEVICE_LAUNCH:
            return _device_launch(symbol)
        return self._tables.resolve(
            symbol, self._target, arguments=arguments if arguments >= 0 else None
        )


def _inline_ptx(symbol: str) -> Resolution:
    hidden = symbol.endswith("?")
    return Resolution(
        name=symbol,
        library="device",
        kind="asm",
        verdict=Verdict.MISSING,
        confidence=Confidence.LIKELY if hidden else Confidence.CERTAIN,
        note="The instruction is hidden in a macro: open it and see what it does."
        if hidden
        else "Inline PTX does not assemble for AMD GPUs: write it as C++, a HIP intrinsic or an "
        "AMDGCN builtin.",
        evidence=(_PTX_FAQ,),
    )


def _device_launch(symbol: str) -> Resolution:
    return Resolution(
        name=symbol,
        library="device",
        kind="launch",
        verdict=Verdict.MISSING,
        note="HIP has no dynamic parallelism: launch from the host, or fold the child kernel in.",
        evidence=(_DYNAMIC,),
    )
