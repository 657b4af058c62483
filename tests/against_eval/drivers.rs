//! Programs that random ones showed compute what they mean: those at whose kernels a driver hung or aborted,
//! those that it computed wrongly, and those that were refused. Each runs in a process of its own that has
//! three minutes for it: a hang or a crash is a failure with a message, and not the end of the tests.
//!
//! The same for the programs of a file, at sizes that fit them (`LIFT_SIZES='8,8;64,12'` states others), and
//! with launches that these numbers lead to, for programs that are right for any launch:
//!
//! ```sh
//! LIFT_PROGRAM=program.lift LIFT_LAUNCHES=0,9,201 cargo test --test against_eval drivers -- --ignored --nocapture
//! ```

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::compare::compare;
use crate::kernels::kernels;
use crate::random::{self, LaunchSizes, Target};
use crate::sizes::admissible;

/// The file with the programs that the process at hand runs, their sizes, and the numbers that lead to
/// launches.
const PROGRAM: &str = "LIFT_PROGRAM";
const SIZES: &str = "LIFT_SIZES";
const LAUNCHES: &str = "LIFT_LAUNCHES";

/// What the order of additions may change, of the largest result.
const TOLERANCE: f32 = 1e-5;

/// About how many steps a program takes at the sizes that nobody stated.
const MOST_STEPS: usize = 2_000;

/// A program has so much time, the compilation of its kernels included.
const TIME: Duration = Duration::from_secs(180);

/// Runs the programs of a file; see the module documentation. The other tests start it.
#[test]
#[ignore = "it runs the program that `LIFT_PROGRAM` names"]
fn the_programs_of_a_file_compute_what_they_mean() -> Result<(), String> {
    let path = env::var(PROGRAM).map_err(|error| format!("{PROGRAM}: {error}"))?;
    let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let device = random::opencl_device();
    for program in kernels(&text)? {
        let sizes = match env::var(SIZES) {
            Ok(stated) => stated.split(';').map(numbers).collect::<Result<_, _>>()?,
            Err(_) => admissible(&program, MOST_STEPS),
        };
        for launches in launches()? {
            println!("`{}` on {} at {sizes:?}, {launches:?}", program.name, device.name());
            compare(&program, &sizes, TOLERANCE, Target { launches, ..Target::opencl(&device) })?;
        }
    }
    Ok(())
}

fn numbers(list: &str) -> Result<Vec<usize>, String> {
    let number = |text: &str| text.trim().parse().map_err(|error| format!("{SIZES}: `{text}`: {error}"));
    list.split(',').filter(|text| !text.is_empty()).map(number).collect()
}

/// The usual launch, or those that some numbers lead to.
fn launches() -> Result<Vec<LaunchSizes>, String> {
    let Ok(stated) = env::var(LAUNCHES) else { return Ok(vec![LaunchSizes::Usual]) };
    let launch = |text: &str| text.trim().parse().map(LaunchSizes::Drawn);
    let launches = stated.split(',').map(launch).collect::<Result<_, _>>();
    launches.map_err(|error| format!("{LAUNCHES}: `{stated}`: {error}"))
}

/// Runs a program in a process of its own; an error is what it said, or that it did not end.
fn run_apart(name: &str, program: &str, sizes: &str, launches: Option<&str>) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (folder.join(format!("{name}.lift")), folder.join(format!("{name}.txt")));
    fs::write(&input, program).map_err(|error| error.to_string())?;
    let file = fs::File::create(&output).map_err(|error| error.to_string())?;
    let also = file.try_clone().map_err(|error| error.to_string())?;
    let mut command = Command::new(env::current_exe().map_err(|error| error.to_string())?);
    command
        .args([
            "--exact",
            "drivers::the_programs_of_a_file_compute_what_they_mean",
            "--ignored",
            "--nocapture",
        ])
        .env(PROGRAM, &input)
        .env(SIZES, sizes)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(also);
    if let Some(launches) = launches {
        command.env(LAUNCHES, launches);
    }
    let child = command.spawn().map_err(|error| error.to_string())?;
    let ended = ends_in_time(child).map_err(|error| error.to_string())?;
    let said = fs::read_to_string(&output).map_err(|error| error.to_string())?;
    match ended {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("{program}\n{status}\n{said}")),
        None => Err(format!("{program}\nafter {TIME:?} it had not ended\n{said}")),
    }
}

/// How a process ended; `None` for one that had to be ended.
fn ends_in_time(mut child: Child) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < TIME {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// One test for each program: what it is called, its text, its sizes, and the launches where it is for any.
macro_rules! programs {
    ($($name:ident: $program:literal, $sizes:literal $(, $launches:literal)?;)*) => {$(
        #[test]
        fn $name() -> Result<(), String> {
            let launches: Option<&str> = [$($launches,)?].first().copied();
            run_apart(stringify!($name), $program, $sizes, launches)
        }
    )*};
}

programs! {
    two_reductions_that_are_not_equally_long:
        "fn k<const N: usize>(a: [f32; N]) -> (f32, f32) { (reduce(add, 0, a), a >> map(|x| x * x) >> reduce(add, 0)) }",
        "1;255;300;1000";
    tiles_whose_rows_are_made_in_rounds:
        "#[launch(local = (3, 1))]
         fn p<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N % 2 == 0, M % 4 == 0 {
             a >> tile(2, 4)
               >> mapWrg1(mapWrg0(|t| t >> reverse
                   >> mapLcl1(|r| r >> toLocal(mapLcl0(|x| x + 1)) >> gather(rotate(1)) >> toLocal(mapLcl0(id)))
                   >> mapLcl1(mapLcl0(|x| x * 2))))
               >> untile
         }",
        "2,4;4,8;6,16";
    rows_that_go_along_in_rounds_whatever_the_launch:
        "#[launch(any)]
         fn p<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N % 4 == 0, M % 4 == 0 {
             a >> tile(4, 4)
               >> mapWrg1(mapWrg0(|t| t
                   >> mapLcl1(|r| r >> toLocal(mapLcl0(|x| x + 1)) >> reverse >> toLocal(mapLcl0(id)))
                   >> mapLcl1(|r| r >> toLocal(mapLcl0(|x| x + 1)) >> reverse >> toLocal(mapLcl0(id)))
                   >> mapLcl1(mapLcl0(|x| if x > 20 { x } else { x + 3 }))))
               >> untile
         }",
        // Groups of 4x3, 2x1 and 1x2 work-items.
        "4,4;8,12", "0,9,201";
    one_writer_in_a_loop_that_is_unrolled:
        "fn p<const N: usize>(a: [f32; N]) -> [f32; 8] where N % 8 == 0, N >= 8 {
             a >> split(N)
               >> mapWrg0(|c| c >> split(8) >> reduceSeq(|acc, t| {
                   let l = t >> toLocal(scanSeq(add, 0)) >> split(2) >> toLocal(mapLcl0(mapSeq(|x| x + 1))) >> join
                     >> iterate(6, |t| t >> pad(1, 1, wrap) >> slide(3, 1) >> toLocal(mapLcl0(reduceSeq(max, 0))))
                     >> toLocal(mapLcl0(id));
                   zip(acc, l >> reverse) >> toLocal(mapLcl0(add))
               }, toLocal(mapLcl0(id))(repeat(8, 0))))
               >> join
         }",
        "8;16;40";
    one_writer_in_a_loop_over_the_work_items_of_another_dimension:
        "#[launch(local = (5, 7))]
         fn p<const N: usize>(a: [i32; N]) -> [i32; 16] where N % 16 == 0, N >= 16 {
             a >> split(N)
               >> mapWrg0(|c| c >> split(16) >> reduceSeq(|acc, t| {
                   let l = t >> toLocal(mapLcl0(id)) >> toLocal(mapLcl0(id))
                     >> toLocal(mapLcl0(|x| if x > 3 { x } else { x + 3 }));
                   zip(acc, l) >> mapLcl0(add)
               }, repeat(16, 0)))
               >> join
         }",
        "16;32;80";
    elements_that_pass_through_global_memory_of_a_group:
        "fn p<const N: usize>(a: [i32; N]) -> [i32; 4] where N % 4 == 0, N >= 4 {
             a >> split(N)
               >> mapWrg0(|c| c >> split(4) >> reduceSeq(|acc, t| {
                   let l = t >> toLocal(mapLcl0(id)) >> toLocal(mapLcl0(id)) >> toLocal(mapLcl0(id))
                     >> split(2) >> toGlobal(mapLcl1(mapLcl0(id))) >> join;
                   zip(acc, l) >> mapLcl0(add)
               }, repeat(4, 0)))
               >> join
         }",
        "4;8;40";
    a_smaller_one_of_a_choice_between_literals:
        "|a: [[[f32; 4]; N]; N]| {
             let x = a >> transpose >> map(slide(2, 1)) >> pad(2, 2, clamp);
             pad2(0, 1, |i, n| 0, x) >> at(6) >> map(repeat(2)) >> at(2)
         }",
        "5;8";
    an_application_of_several_kernels_that_are_there_once:
        "fn twice<const N: usize>(a: [i32; N]) -> [i32; N] { iterate(2, scanInclusive(add) >> scan(add, 2), a) }",
        "1;255;3000";
    a_short_sum_that_is_used_after_other_kernels:
        "|a: [i32; 8]| a >> reverse
             >> iterate(1, |t| {
                 let s = reduce(add, 0, t);
                 let u = t >> iterate(2, |u| u >> reverse >> map(|x| x + 1)) >> reverse;
                 u >> slide(2, 1) >> map(|w| at(1, w) - at(0, w)) >> map(|x| x - 2) >> map(|x| x + s % 5)
             })
             >> map(|x| x + 3)",
        "";
    a_short_sum_of_rotated_elements_that_is_used_after_other_kernels:
        "|a: [i32; 20]| a >> gather(rotate(1))
             >> iterate(1, |t| {
                 let s = reduce(add, 0, t);
                 let u = t >> iterate(2, |u| u >> reverse >> map(|x| x + 1));
                 u >> slide(2, 1) >> map(|w| at(1, w) - at(0, w)) >> map(|x| x + s % 5)
             })
             >> map(|x| x + 3)",
        "";
    a_short_sum_in_every_application_that_is_used_after_other_kernels:
        "|a: [i32; 20]| a >> map(|x| x * 2 - 1)
             >> iterate(3, |t| {
                 let s = reduce(add, 0, t);
                 let u = t >> iterate(2, |u| u >> reverse >> map(|x| x + 1));
                 u >> map(|x| x + 1) >> map(|x| x + s % 5)
             })
             >> pad(1, 1, clamp)",
        "";
    a_short_sum_and_a_long_one:
        "fn k<const N: usize>(a: [f32; 20], b: [f32; N]) -> [f32; 20] {
             let s = reduce(add, 0, a);
             let t = s * 2 + reduce(add, 0, b);
             let r = reduce(add, 0, b >> map(|x| x * x));
             a >> map(|x| x * s + t * r)
         }",
        "1;300";
}
