"""The words by which build systems beside CMake and make show that they build CUDA."""

from __future__ import annotations

import re

_LIBRARY = r"(?:cuda\w*|cublas\w*|cufft\w*|curand|cusparse|cusolver|cudnn|nccl|nvrtc)\b"
_FORMS = {
    "bazel": re.compile(
        r"\bcuda_(?:library|binary|test|objects)\b|@?rules_cuda\b|@?local_config_cuda\b"
        r"|\bif_cuda\w*|\bcuda_default_copts\b|\btf_(?:gpu_kernel_library|cuda_\w+)\b"
        r"|--config[= ]cuda\b|\bbuild:cuda\b"
    ),
    "meson": re.compile(
        r"(?:^|\s)(?:project|add_languages)\([^)]{0,400}'cuda'|dependency\(\s*'cuda'"
        r"|import\('(?:unstable-)?cuda'\)|get_compiler\('cuda'\)|language\s*:\s*'cuda'"
    ),
    "msbuild": re.compile(r"CUDA \d+\.\d+\.(?:props|targets)|<Cuda(?:Compile|Link)\b"),
    "autotools": re.compile(
        r"\bA[XC]_(?:CHECK|PROG|WITH|CXX|FIND|LIB)_(?:CUDA|NVCC)\w*"
        r"|\bAC_ARG_(?:WITH|ENABLE)\(\s*\[?(?:cuda|nvcc|cudnn|nccl)[\w-]*"
        r"|\bAC_(?:PATH_PROGS?|CHECK_PROGS?|CHECK_TOOL)\(\s*\[?NVCC\b"
        rf"|\bAC_CHECK_(?:LIB|HEADERS?)\(\s*\[?{_LIBRARY}"
        rf"|\bAC_SEARCH_LIBS\(\s*\[?(?:{_LIBRARY}|cu[A-Z]\w*)"
        r"|\bAM_CONDITIONAL\(\s*\[?\w*CUDA\w*"
    ),
    "scons": re.compile(r"\bnvcc\b|\bNVCC\b"),
    "waf": re.compile(r"\bnvcc\b|\bNVCC\b|(?:features|load)\W{1,6}[^#\n]{0,80}\bcuda\b"),
    "xmake": re.compile(r"add_rules\(\"cuda|add_cuflags|add_cugencodes|cuda\.build"),
    "cargo": re.compile(
        rf"\bnvcc\b|\.cuda\(true\)|cargo:rustc-link-lib=(?:dylib=|static=)?{_LIBRARY}"
    ),
}


def cuda_rule_in(build: str, content: str) -> str:
    """Return the words of a line that build or look for CUDA; "" for none."""
    found = _FORMS[build].search(content)
    return " ".join(found[0].split()) if found else ""
