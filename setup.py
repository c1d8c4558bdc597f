"""Build the Cython kernels of ``ext/`` into the package, and take the tables along."""

import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError, CompileError, ExecError, PlatformError


class BuildKernels(build_ext):
    """The usual build on all processors; a missing or unfit compiler is told in one clear line."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.parallel = True

    def build_extensions(self) -> None:
        try:
            super().build_extensions()
        except (CCompilerError, CompileError, ExecError, PlatformError) as error:
            why = " ".join(str(error).split())
            raise SystemExit(f"kosti: building needs GCC or Clang and the headers of Python: {why}") from None


class BuildPackage(build_py):
    """The usual build, with the folder ``tables`` inside the package."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "solver" / "tables"
            target.mkdir(parents=True, exist_ok=True)
            for table in Path("tables").glob("*.safetensors"):
                shutil.copy2(table, target)


TURN = ["ext/turn.h", "solver/_turn.pxd", "solver/_sweep.pxd"]
SHEET = ["ext/sheet.h", "ext/sheet_kernels.pxd", "solver/_sheet.pxd"]
KERNELS = {
    "turn": [*TURN, "ext/turn_kernels.h", "ext/turn_kinds.h", "ext/turn_lanes.h"],
    **dict.fromkeys(("sweep", "lookup"), TURN),
    "relaxation": [*TURN, "ext/team.h"],
    "ordered": [*TURN, "ext/pairs.pxd", "ext/offers.pxd"],
    "admissions": [*TURN, "ext/pairs.pxd"],
    "sheet": [*SHEET, "ext/sheet_kernels.h", "ext/sheet_lanes.h", "ext/memory.pxd"],
    **dict.fromkeys(("sheet_totals", "sheet_spread"), SHEET),
    "mixing": ["ext/mixing.h"],
    "regret": ["ext/regret.h"],
    "choices": [],
}
"""From the name of a kernel to the headers that it is made of."""

debug = os.environ.get("SOLVER_DEBUG") == "1"
# No -march: the kernels choose the instruction set when they are loaded.
# No -ffast-math: the proofs rely on the rules of IEEE arithmetic.
flags = ["-O3", "-Wno-psabi", "-Wno-unused-function", *os.environ.get("SOLVER_CFLAGS", "").split()]
kernels = [
    Extension(
        f"solver._{name}",
        [f"ext/{name}.pyx"],
        depends=headers,
        include_dirs=["ext"],
        # Sheets promise the same bits on all machines: nothing is added to a product in one step.
        extra_compile_args=[*flags, "-ffp-contract=off"] if name.startswith(("sheet", "choices")) else flags,
    )
    for name, headers in KERNELS.items()
]

setup(
    ext_modules=cythonize(
        kernels,
        include_path=["ext", "."],
        build_dir="build",
        compiler_directives={"boundscheck": True} if debug else {},
    ),
    cmdclass={"build_ext": BuildKernels, "build_py": BuildPackage},
)
