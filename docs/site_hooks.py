"""What MkDocs does not do by itself for our pages; mkdocs.yml names this file as its hook.

- Pages outside docs/ become pages of the site: the changelog, the contributor's guide, the figures of papers.
- Links between them are rewritten, so that the same Markdown works in the repository and in the site.
- Keys in brackets, as [Kuhn 1950], lead to the bibliography.
- Notebooks become pages, with the outputs that are stored in them.
- Formulas become MathML, which browsers draw without scripts.
"""

import base64
import functools
import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import latex2mathml.converter
import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
FROM_ROOT = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "README.md": "index.md"}
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\s*\\[(\[](.*?)\\[)\]]\s*</\1>([,.;:)]*)', re.DOTALL)
CITED = re.compile(r"\[([A-Z][^\[\]]*?\s\d{4}[^\[\]]*)\](?![(\[])")
KEY = re.compile(r"^\| \*\*(.*?)\*\*", re.MULTILINE)
FIGURE_FILES = ("README.md", "plot.png", "data.csv", "claims.csv")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/, and a page for each notebook."""
    for name, page in FROM_ROOT.items():
        if name != "README.md":
            text = (ROOT / name).read_text() if (ROOT / name).exists() else f"# {page[:-3].capitalize()}\n"
            files.append(File.generated(config, page, content=text))
    for folder in sorted((ROOT / "papers").iterdir()):
        for name in FIGURE_FILES:
            if (folder / name).exists():
                path = f"papers/{folder.name}/{name}"
                files.append(File.generated(config, path, abs_src_path=str(folder / name)))
    for notebook in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        page = f"notebooks/{notebook.stem}.md"
        files.append(File.generated(config, page, content=notebook_page(notebook)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links at pages of the site; what the site does not have loses its link and keeps its text."""
    source = repository_path(page.file.src_uri)
    up = "../" * page.file.src_uri.count("/")
    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(lambda found: _site_link(found, source, up), part) for part in parts[::2]]
    if page.file.src_uri == "bibliography.md":
        parts[::2] = [KEY.sub(_with_anchor(), part) for part in parts[::2]]
    else:
        parts[::2] = [CITED.sub(lambda found: _citation(found[0], up), part) for part in parts[::2]]
    return "".join(parts)


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn formulas into MathML; punctuation stays on the line of the formula before it."""

    def drawn(found: re.Match[str]) -> str:
        kind, formula, after = found.groups()
        return f'<{kind} class="formula">{mathml(html.unescape(formula), kind == "div")}{after}</{kind}>'

    return FORMULA.sub(drawn, content)


def mathml(formula: str, block: bool = False) -> str:
    """A formula of LaTeX as MathML."""
    return latex2mathml.converter.convert(formula.strip(), display="block" if block else "inline")


def repository_path(src_uri: str) -> Path:
    """The file of the repository that a page of the site is made from."""
    for name, page in FROM_ROOT.items():
        if src_uri == page and name != "README.md":
            return ROOT / name
    if src_uri.startswith("papers/"):
        return ROOT / src_uri
    return ROOT / "docs" / src_uri


def site_path(path: Path) -> str | None:
    """The page or file of the site that stands for a file of the repository, if there is one."""
    inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    if inside in FROM_ROOT:
        return FROM_ROOT[inside]
    if inside.startswith("papers/") and path.name in FIGURE_FILES:
        return inside
    if not inside.startswith("docs/") or path.suffix == ".py":
        return None
    return re.sub(r"\.ipynb$", ".md", inside.removeprefix("docs/"))


@functools.cache
def bibliography() -> dict[str, str]:
    """The anchor of every key."""
    keys = KEY.findall((ROOT / "docs" / "bibliography.md").read_text())
    return {key: re.sub(r"\W+", "-", key.lower()) for key in keys}


def _with_anchor() -> Callable[[re.Match[str]], str]:
    """Puts its anchor before the first row of a key; a second paper of the same name and year has the same."""
    seen = set[str]()

    def anchored(found: re.Match[str]) -> str:
        if found[1] in seen:
            return found[0]
        seen.add(found[1])
        return f'| <a id="{bibliography()[found[1]]}"></a>**{found[1]}**'

    return anchored


def _citation(text: str, up: str) -> str:
    """The keys of [Lanctot et al. 2009; Kuhn 1950, page 97] as links."""
    text = re.sub(r"\s+", " ", text)
    for key, anchor in bibliography().items():
        text = re.sub(rf"(?<=[\[ ]){re.escape(key)}(?=[\],; ])", f"[{key}]({up}bibliography.md#{anchor})", text)
    return text


def _site_link(found: re.Match[str], source: Path, up: str) -> str:
    mark, text, target, anchor = found[1], found[2], found[3], found[4] or ""
    file = (source.parent / target).resolve()
    page = site_path(file)
    if page is None:
        return text if file.exists() else found[0]  # MkDocs complains about the others
    return f"{mark}[{text}]({up}{page}{anchor})"


def notebook_page(path: Path) -> str:
    """A notebook as Markdown: its text, its code, and what the code printed and drew when it was last run."""
    notebook = nbformat.read(path, as_version=4)
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts += [f"```python\n{cell.source}\n```", *(_output(output) for output in cell.outputs)]
    note = f'*This page is a notebook: <a href="{path.name}" download>download {path.name}</a> to run it yourself.*'
    return "\n\n".join([parts[0], note, *parts[1:]]) + "\n"


def _output(output: Any) -> str:
    if output.output_type == "stream":
        return f"```text\n{ANSI.sub('', output.text).rstrip()}\n```"
    data = output.get("data", {})
    for kind in ("image/svg+xml", "image/png"):
        if kind in data:
            body = base64.b64encode(data[kind].encode()).decode() if "svg" in kind else data[kind].strip()
            words = data.get("text/plain", "figure")
            return f'<p class="notebook-figure"><img alt="{html.escape(words)}" src="data:{kind};base64,{body}"></p>'
    return f"```text\n{data.get('text/plain', '')}\n```"
