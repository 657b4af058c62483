//! What the README and the pages of `docs` show is what the repository holds: their code is compiled and run
//! here or is that of an example, their errors are those of compile-fail tests, their links lead somewhere,
//! and a measurement stands in one place.

use std::fs;
use std::path::{Path, PathBuf};

use lift::ndarray::{Array1, Array2, arr1};
use lift::{Device, lift};
use lift_core::ir::primitive::Primitive;
use lift_core::middle::rewrite::schedule::Combinator;
use lift_core::middle::rewrite::strategies;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder whose names end like this.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    entries
        .map(|entry| Path::new(folder).join(entry.expect("a readable folder").file_name()))
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect()
}

/// The pages for users and for those who change the project.
fn pages() -> Vec<PathBuf> {
    let mut pages = files("docs", "md");
    pages.extend(["README.md", "CONTRIBUTING.md"].map(PathBuf::from));
    pages
}

/// What stands between fences, with the language after the opening one, and what stands outside of them.
fn fenced(page: &str) -> (Vec<(String, String)>, String) {
    let (mut blocks, mut outside) = (Vec::new(), String::new());
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, block)), None) => *block += &format!("{line}\n"),
            (None, None) => outside += &format!("{line}\n"),
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    (blocks, outside)
}

/// The blocks of a page in a language.
fn blocks(page: impl AsRef<Path>, language: &str) -> Vec<String> {
    let (blocks, _) = fenced(&read(page));
    blocks.into_iter().filter(|(found, _)| found == language).map(|(_, block)| block).collect()
}

/// The cells of the lines of all tables of a page.
fn rows(page: &str) -> Vec<Vec<String>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn the_readme_has_at_most_10_kb() {
    assert!(read("README.md").len() <= 10_000);
}

/// The longest line of a text for people.
const COLUMNS: usize = 110;

#[test]
fn lines_of_text_have_at_most_110_columns() {
    let files = pages().into_iter().chain(["ARCHITECTURE.md", "CHANGELOG.md"].map(PathBuf::from));
    for file in files {
        for line in fenced(&read(&file)).1.lines() {
            let is_table = line.trim_start().starts_with('|');
            // A command is copied as one line.
            let is_code = line.starts_with('`') && line.trim_end_matches(',').find("` ").is_none();
            assert!(is_table || is_code || line.chars().count() <= COLUMNS, "{}: {line}", file.display());
        }
    }
}

#[test]
fn the_first_code_block_is_the_quickstart_example() {
    let example = read("examples/quickstart.rs");
    let (_module_comment, code) = example.split_once("\n\n").expect("a module comment and code");
    assert_eq!(blocks("README.md", "rust").first().map(String::as_str), Some(code));
}

#[test]
fn every_block_has_a_language_that_is_checked_or_is_not_rust() {
    for page in pages() {
        for (language, block) in fenced(&read(&page)).0 {
            let known = ["rust", "text", "sh", "toml", "c"].contains(&language.as_str());
            assert!(known, "{}: `{language}`\n{block}", page.display());
        }
    }
}

#[test]
fn all_code_shown_is_compiled_and_run() {
    let unindented = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let mut compiled = files("examples", "rs");
    compiled.push(PathBuf::from(file!()));
    let compiled: Vec<String> = compiled.iter().map(|path| unindented(&read(path))).collect();
    for page in pages() {
        for block in blocks(&page, "rust") {
            let code = unindented(&block);
            assert!(
                compiled.iter().any(|text| text.contains(&code)),
                "{}: neither a test of {} nor an example has\n{block}",
                page.display(),
                file!()
            );
        }
    }
}

/// The page whose texts are what `lift-explain` prints: its tests compare them.
const EXPLANATION: &str = "docs/explain.md";

#[test]
fn the_errors_shown_are_those_of_the_compile_fail_tests() {
    let phases = fs::read_dir(root().join("tests/ui")).expect("folders of cases");
    let phases = phases.map(|phase| phase.expect("a readable folder").file_name());
    let messages = phases.flat_map(|phase| files(&format!("tests/ui/{}", phase.to_string_lossy()), "stderr"));
    let messages: Vec<String> = messages.map(read).collect();
    let pages = pages().into_iter().filter(|page| page != Path::new(EXPLANATION));
    let shown: Vec<String> = pages.flat_map(|page| blocks(page, "text")).collect();
    assert!(!shown.is_empty());
    for block in shown {
        assert!(messages.iter().any(|message| message.trim() == block.trim()), "no test gives\n{block}");
    }
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = pages();
    pages.push(PathBuf::from("ARCHITECTURE.md"));
    for page in pages {
        let text = fenced(&read(&page)).1;
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.starts_with("https://")) {
            let (path, section) = target.split_once('#').unwrap_or((target, ""));
            let folder = page.parent().unwrap_or(Path::new(""));
            let path = if path.is_empty() { page.clone() } else { folder.join(path) };
            assert!(root().join(&path).exists(), "{}: {target}", page.display());
            if !section.is_empty() {
                let linked = fenced(&read(&path)).1;
                let mut headings = linked.lines().filter(|line| line.starts_with('#'));
                assert!(headings.any(|heading| anchor(heading) == section), "{}: {target}", page.display());
            }
        }
    }
}

#[test]
fn every_page_can_be_reached_from_the_readme() {
    let readme = read("README.md");
    for page in pages() {
        let page = page.to_string_lossy().replace('\\', "/");
        assert!(page == "README.md" || readme.contains(&format!("]({page})")), "{page}");
    }
}

#[test]
fn the_speeds_in_the_readme_are_those_of_the_page() {
    let measured = rows(&read("docs/performance.md"));
    let shown = rows(&read("README.md"));
    let shown = shown.iter().skip_while(|row| row[0] != "computation").skip(2).take(6);
    let mut count = 0;
    for row in shown {
        let (name, figures) = row.split_at(2);
        let of_the_page: Vec<&String> =
            measured.iter().filter(|row| row.starts_with(name)).flatten().collect();
        assert!(figures.iter().all(|figure| of_the_page.contains(&figure)), "{row:?}");
        count += figures.len();
    }
    assert_eq!(count, 6 * 4);
}

#[test]
fn the_page_on_the_language_names_every_primitive() {
    let page = read("docs/language.md");
    let words: Vec<&str> = page.split(|letter: char| !letter.is_alphanumeric()).collect();
    for row in Primitive::ALL {
        assert!(words.contains(&row.name), "`{}`", row.name);
    }
}

#[test]
fn the_page_on_schedules_names_every_strategy_and_combinator() {
    let page = read("docs/schedules.md");
    let words: Vec<&str> = page.split(|letter: char| !letter.is_alphanumeric()).collect();
    let strategies = strategies::ALL.iter().map(|strategy| strategy.name);
    for name in strategies.chain(Combinator::ALL.into_iter().map(Combinator::name)) {
        assert!(words.contains(&name), "`{name}`");
    }
}

// The code of the pages.

lift! {
    fn step<const N: usize>(weights: [f32; 3], t: [f32; N]) -> [f32; N] {
        t >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(weights, nbh) >> map(mult) >> reduce(add, 0))
    }
}

const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];

lift! {
    #[schedule(splitJoin(64), mapWrg(0), innermost(mapLcl(0)))]
    fn shifted<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| x + 1) >> map(|x| 2 * x) }
}

#[test]
fn schedules() -> lift::Result<()> {
    let device = Device::default_device()?;
    let kernel = shifted::on(&device)?;
    assert_eq!(kernel.run(&[1.0; 100])?.to_vec(), [4.0; 100]);
    let forms: Vec<String> = kernel.forms().iter().map(ToString::to_string).collect();
    assert_eq!(forms, ["`scheduled`: on any device, where N % 64 == 0", "`plain`: on any device"]);
    assert_eq!(shifted::DERIVATION.lines().next(), Some("splitJoin(64) @ ."));
    Ok(())
}

lift! {
    #[schedule(tileProduct(32, 32, 8, 8, 4))]
    fn product<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|column| dotProduct(row, column)))
    }
}

#[test]
fn a_product_in_tiles() -> lift::Result<()> {
    let kernel = product::on(&Device::default_device()?)?;
    assert_eq!(
        kernel.forms().iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "`scheduled`: on any device, where M % 32 == 0 and N % 32 == 0 and K % 8 == 0",
            "`plain`: on any device"
        ]
    );
    for size in [32, 20] {
        let a = Array2::from_shape_fn((size, 2 * size), |(i, k)| (i % 3 + k % 5) as f32);
        let b = Array2::from_shape_fn((2 * size, size), |(k, j)| (k % 7 + j % 4) as f32);
        assert_eq!(kernel.run(&a, &b)?, a.dot(&b));
    }
    Ok(())
}

lift! {
    fn applied<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| dotProduct(row, x))
    }
}

#[test]
fn forms() -> lift::Result<()> {
    let kernel = applied::on(&Device::default_device()?)?;
    let forms: Vec<String> = kernel.forms().iter().map(ToString::to_string).collect();
    let expected = [
        "`mediumRows`: on GPUs and other accelerators, where M <= 1024, worth it where M >= 513 and N >= 2048",
        "`rows`: on GPUs and other accelerators, worth it where M >= 2048",
        "`narrowRows`: on GPUs and other accelerators, worth it where M >= 28 and N >= 32768 and M <= 72",
        "`shortRowVectors`: on GPUs and other accelerators, where M <= 512 and M % 4 == 0, worth it where M >= 32",
        "`shortRows`: on GPUs and other accelerators, worth it where M >= 64",
        "`rowVectors`: on processors, worth it where M >= 64",
        "`plain`: on any device",
    ];
    assert_eq!(forms, expected);
    Ok(())
}

#[test]
fn three_forms() -> lift::Result<()> {
    let (a, b, factor) = ([1.0f32, 2.0, 3.0], [4.0f32, 5.0, 6.0], 2.0f32);
    let (device, weights, t) = (Device::default_device()?, WEIGHTS, [0.0f32, 4.0, 0.0]);

    // An expression runs at once. Its free variables are Rust variables.
    let scaled = lift!(map(|x| x * factor, a))?;

    // A function item, such as `step` above, is also a kernel that can be put on a device.
    let warmer = step::on(&device)?.run(&weights, &t)?;

    // A closure is a kernel as a value.
    let dot = lift!(|a: [f32; N], b: [f32; N]| zip(a, b) >> map(mult) >> reduce(add, 0));
    let product = dot.run(&a, &b)?;

    assert_eq!(scaled, arr1(&[2.0, 4.0, 6.0]));
    assert_eq!(warmer, arr1(&[1.0, 2.0, 1.0]));
    assert_eq!(product, 32.0);
    Ok(())
}

#[test]
fn a_tile_in_local_memory() -> lift::Result<()> {
    lift! {
        fn blur<const N: usize>(a: [f32; N]) -> [f32; N] where N % 64 == 0 {
            a >> pad(1, 1, clamp) >> slide(66, 64) >> mapWrg0(|tile|
                tile >> toLocal(mapLcl0(id)) >> slide(3, 1)
                    >> mapLcl0(|nbh| nbh >> reduceSeq(add, 0) >> toGlobal(id))
            ) >> join
        }
    }
    let a = Array1::from_shape_fn(256, |i| i as f32);
    let at = |i: usize| a[i.min(255)];
    assert_eq!(blur(&a)?, Array1::from_shape_fn(256, |i| at(i.saturating_sub(1)) + at(i) + at(i + 1)));
    assert!(blur(&a.slice_axis(lift::ndarray::Axis(0), (..100).into())).is_err());
    Ok(())
}

#[test]
fn a_chosen_launch() -> lift::Result<()> {
    let (device, a) = (Device::default_device()?, [1.0f32, 2.0, 3.0]);

    lift! {
        #[launch(any)]
        fn scaled<const N: usize>(a: [f32; N], s: f32) -> [f32; N] { a >> mapGlb0(|x| s * x) }
    }
    // 32 groups of 128 work-items, whatever N is.
    let kernel = scaled::on(&device)?.launch(&[4096], &[128])?;
    let result = kernel.run(&a, 2.0)?;

    assert_eq!(result, arr1(&[2.0, 4.0, 6.0]));
    Ok(())
}

#[test]
fn methods_of_kernels() -> lift::Result<()> {
    let (device, weights, t) = (Device::default_device()?, WEIGHTS, [0.0f32, 4.0, 0.0]);
    let (dev_weights, dev_t) = (device.upload(&weights)?, device.upload(&t)?);
    let mut out = Array1::zeros(3);

    let kernel = step::on(&device)?;
    let warmer = kernel.run(&weights, &t)?; // host data in and out
    kernel.run_into(&weights, &t, &mut out)?; // into memory of yours
    let (also_warmer, profile) = kernel.profile(&weights, &t)?; // with its form, and the time of each kernel
    let mut on_device = kernel.enqueue(&dev_weights, &dev_t)?; // device arrays in and out, no copies
    kernel.enqueue_into(&dev_weights, &dev_t, &mut on_device)?; // into a device array of yours

    let expected = arr1(&[1.0, 2.0, 1.0]);
    assert_eq!([warmer, out, also_warmer, on_device.download()?], [(); 4].map(|()| expected.clone()));
    assert_eq!(profile.kernels.len(), 1);
    Ok(())
}

lift! {
    /// Points, each with its speed, after some time.
    fn moved<const N: usize>(time: f32, points: [(f32, f32); N]) -> [(f32, f32); N] {
        points >> map(|(x, v)| (x + time * v, v))
    }

    /// A time in which no point moves further than 0.5.
    fn short_time<const N: usize>(points: [(f32, f32); N]) -> f32 {
        0.5 / (points >> map(|(x, v)| abs(v)) >> reduce(max, 0))
    }
}

#[test]
fn arrays_of_tuples_on_a_device() -> lift::Result<()> {
    let device = Device::default_device()?;

    let points = device.upload(&vec![(0.0f32, 1.0f32), (2.0, -4.0)])?; // (position, speed)
    let later = moved::on(&device)?.enqueue(0.5, &points)?;
    let (positions, _) = later.unzip(); // the components, which are not copied
    assert_eq!(positions.download()?.to_vec(), [0.5, 0.0]);
    assert_eq!(later.download()?.to_vec(), [(0.5, 1.0), (0.0, -4.0)]);
    Ok(())
}

#[test]
fn a_loop_on_device_arrays() -> lift::Result<()> {
    let (device, data) = (Device::default_device()?, vec![(0.0f32, 1.0f32), (2.0, -4.0)]);
    let kernel = moved::on(&device)?;

    let (mut points, mut later) = (device.upload(&data)?, device.upload(&data)?);
    for _ in 0..1000 {
        kernel.enqueue_into(0.001, &points, &mut later)?;
        std::mem::swap(&mut points, &mut later);
    }

    let time = short_time::on(&device)?.enqueue(&points)?; // a scalar on the device
    kernel.enqueue_into(&time, &points, &mut later)?;

    assert_eq!(time.download()?.into_scalar(), 0.125);
    let found = points.download()?;
    assert!((later.download()?[1].0 - found[1].0 + 0.5).abs() < 1e-6);
    assert!((found[0].0 - 1.0).abs() < 1e-3 && (found[1].0 + 2.0).abs() < 1e-3, "{found:?}");
    Ok(())
}

#[test]
fn devices() -> lift::Result<()> {
    for device in lift::Device::list()? {
        println!("{}", device.name());
    }
    let device = lift::Device::default_device()?;
    let t = device.upload(&vec![0.0f32; 1 << 20])?; // a device array
    let back = t.download()?;

    assert_eq!(back, Array1::zeros(1 << 20));
    Ok(())
}

#[test]
fn the_same_bits_everywhere() -> lift::Result<()> {
    let a: Vec<f32> = (1..1000).map(|i| 1.0 / i as f32).collect();
    let b: Vec<f32> = a.iter().map(|x| 1.1 - x).collect();

    lift! {
        #[strict]
        fn inner_product<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
            zip(a, b) >> map(mult) >> reduce(add, 0)
        }
    }
    let in_a_loop = a.iter().zip(&b).fold(0.0, |sum, (x, y)| sum + x * y);
    assert_eq!(inner_product(&a, &b)?, in_a_loop);

    Ok(())
}

#[test]
fn sizes_as_constants() -> lift::Result<()> {
    let (device, t) = (Device::default_device()?, [0.0f32, 4.0, 0.0]);

    // Constants from the first call, compiled once for each combination of sizes.
    let always = step::on(&device)?.specialised();
    // Never.
    let never = step::on(&device)?.unspecialised();

    assert_eq!(always.run(&WEIGHTS, &t)?, never.run(&WEIGHTS, &t)?);
    Ok(())
}
