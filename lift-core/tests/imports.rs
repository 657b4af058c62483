//! Who imports whom in the compiler: the order of the stages, and that no files import each other in a
//! circle, nor those of the parser, of the macro, of the runtime and of `lift-explain`.
//!
//! Both are what makes the folders readable: whoever reads a stage needs to know the earlier ones only. The
//! imports are read from the text of the sources, as `use` says them. A module that only hands on a name of
//! its own folder does not import it, and whoever imports that name imports the file that defines it.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the sources of the compiler are files"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The stages, first what everything uses. `eval` and `work` are for tests.
const STAGES: [&str; 10] =
    ["ir", "front", "middle", "device", "host", "print", "compiled", "forms", "work", "eval"];

/// Names of modules from the root of the crate.
type Module = Vec<String>;

/// One `use`, up to a single name.
struct Import {
    path: Vec<String>,
    is_public: bool,
}

/// The sources of a crate, without tests.
struct Sources {
    imports: BTreeMap<Module, Vec<Import>>,
}

impl Sources {
    /// Those of a crate of the workspace.
    fn of(name: &str) -> Sources {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let mut texts = Vec::new();
        read_folder(&root, &[], &mut texts);
        let imports = texts.into_iter().map(|(module, text)| (module, imports_of(&text)));
        Sources { imports: imports.collect() }
    }

    /// The module that defines what a module calls by this path; `None` for other crates.
    fn definition(
        &self,
        module: &Module,
        path: &[String],
        passed: &mut BTreeSet<(Module, String)>,
    ) -> Option<Module> {
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Module::new(), path.get(1..)?),
            "self" | "super" => (module.clone(), path),
            child => {
                let inner: Module = module.iter().cloned().chain([child.to_owned()]).collect();
                if !self.imports.contains_key(&inner) {
                    return None;
                }
                (module.clone(), path)
            }
        };
        while let Some((name, others)) = rest.split_first() {
            match name.as_str() {
                "self" => {}
                "super" => drop(at.pop()),
                _ => {
                    at.push(name.clone());
                    if !self.imports.contains_key(&at) {
                        at.pop();
                        return Some(self.handed_on(&at, name, passed).unwrap_or(at));
                    }
                }
            }
            rest = others;
        }
        Some(at)
    }

    /// The module that defines a name which another one hands on.
    fn handed_on(
        &self,
        module: &Module,
        name: &str,
        passed: &mut BTreeSet<(Module, String)>,
    ) -> Option<Module> {
        if !passed.insert((module.clone(), name.to_owned())) {
            return None;
        }
        let named =
            |import: &&Import| import.is_public && import.path.last().is_some_and(|last| last == name);
        let import = self.imports.get(module)?.iter().find(named)?;
        self.definition(module, &import.path, passed)
    }

    /// The modules that each module imports.
    fn edges(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |(module, imports): (&'_ Module, &'_ Vec<Import>)| -> BTreeSet<Module> {
            let own = |definition: &Module| definition.starts_with(module);
            let targets = imports.iter().filter_map(|import| {
                let definition = self.definition(module, &import.path, &mut BTreeSet::new())?;
                (!(import.is_public && own(&definition))).then_some(definition)
            });
            targets.filter(|target| target != module).collect()
        };
        self.imports.iter().map(|(module, imports)| (module, of((module, imports)))).collect()
    }
}

fn read_folder(folder: &Path, module: &[String], texts: &mut Vec<(Module, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned();
        let inner: Module = module.iter().cloned().chain([name.clone()]).collect();
        if name == "tests" || name == "examples" {
            continue;
        }
        if path.is_dir() {
            read_folder(&path, &inner, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = if name == "mod" || name == "lib" { module.to_vec() } else { inner };
            texts.push((module, std::fs::read_to_string(&path).expect("a source")));
        }
    }
}

/// The names that a source imports, without its tests.
fn imports_of(text: &str) -> Vec<Import> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut imports = Vec::new();
    let mut statement: Option<String> = None;
    for line in code.lines() {
        let start = line.trim_start();
        if statement.is_none()
            && (start.starts_with("use ") || (start.starts_with("pub") && start.contains(" use ")))
        {
            statement = Some(String::new());
        }
        let Some(mut text) = statement.take() else { continue };
        text.push_str(start);
        if !text.contains(';') {
            statement = Some(text);
            continue;
        }
        let is_public = text.starts_with("pub");
        let tree = text.split_once("use ").map_or("", |(_, tree)| tree.trim_end_matches(';'));
        let mut paths = Vec::new();
        expand("", tree, &mut paths);
        imports.extend(paths.into_iter().map(|path| Import { path, is_public }));
    }
    imports
}

/// Every path of a tree like `a::{b, c::{self, d}}`.
fn expand(before: &str, tree: &str, paths: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let Some((prefix, inner)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default();
        let path = format!("{before}{name}");
        paths.push(path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect());
        return;
    };
    let before = format!("{before}{prefix}");
    let inner = inner.strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut start) = (0, 0);
    for (position, character) in inner.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&before, &inner[start..position], paths);
                start = position + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        expand(&before, &inner[start..], paths);
    }
}

#[test]
fn a_stage_imports_earlier_stages_only() {
    let sources = Sources::of("lift-core");
    let place =
        |module: &Module| STAGES.iter().position(|stage| module.first().is_some_and(|first| first == stage));
    for (module, imported) in sources.edges() {
        let Some(stage) = place(module) else {
            let outside = ["compile", "diagnostic", "flat", "options", "similar", "threads"];
            let is_outside = module.first().is_none_or(|first| outside.contains(&first.as_str()));
            assert!(is_outside, "{} is none of the stages", module.join("::"));
            continue;
        };
        for other in imported {
            let is_earlier = place(&other).is_none_or(|earlier| earlier <= stage);
            assert!(is_earlier, "{} imports {} of a later stage", module.join("::"), other.join("::"));
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let circles =
        ["lift-core", "lift-parser", "lift-macros", "lift-explain", "lift-runtime"].map(circles_in).concat();
    assert!(circles.is_empty(), "these import each other in circles:\n{}", circles.join("\n"));
}

/// The files of a crate that import each other in circles, and those between circles, each with the ones that
/// it imports.
fn circles_in(name: &str) -> Vec<String> {
    let sources = Sources::of(name);
    let mut edges = sources.edges();
    assert!(edges.values().any(|imported| !imported.is_empty()), "no import was found in {name}");
    // Whoever imports none of those that are left, or is imported by none of them, is in no circle.
    loop {
        let imported: BTreeSet<Module> = edges.values().flatten().cloned().collect();
        let outside = |(module, imports): (&&Module, &BTreeSet<Module>)| {
            let is_outside = imports.is_empty() || !imported.contains(*module);
            is_outside.then(|| (*module).clone())
        };
        let outside: BTreeSet<Module> = edges.iter().filter_map(outside).collect();
        if outside.is_empty() {
            break;
        }
        edges.retain(|module, _| !outside.contains(*module));
        for imports in edges.values_mut() {
            imports.retain(|module| !outside.contains(module));
        }
    }
    let path = |module: &Module| [&[name.to_owned()], module.as_slice()].concat().join("::");
    let described = edges.iter().map(|(module, imported)| {
        let imported: Vec<String> = imported.iter().map(path).collect();
        format!("{} imports {}", path(module), imported.join(", "))
    });
    described.collect()
}
