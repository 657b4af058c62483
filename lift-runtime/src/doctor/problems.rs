//! What does not work although it is installed, and which variable of the environment is to blame.

use super::machine::{Machine, VENDORS_VARIABLE};

/// What was found of OpenCL, and where the environment told it to look.
pub(super) struct Found<'f> {
    /// The OpenCL library, or why there is none.
    pub(super) loader: &'f Result<String, String>,
    /// The libraries that were tried instead of the usual ones.
    pub(super) chosen_library: Option<String>,
    /// Whether a driver answers.
    pub(super) has_platform: bool,
    /// Where drivers were looked for instead of the usual folder.
    pub(super) chosen_vendors: Option<String>,
}

/// One sentence for each problem.
pub(super) fn of(machine: &Machine, found: &Found<'_>) -> Vec<String> {
    match (found.loader, &found.chosen_library) {
        (Err(_), Some(library)) => {
            let otherwise = match machine.has_loader {
                true => "; without the variable, the one that is installed is opened",
                false => "",
            };
            vec![format!("`{}={library}` names no OpenCL library{otherwise}", lift_opencl::PATH_VARIABLE)]
        }
        (Err(_), None) => Vec::new(),
        (Ok(_), _) if found.has_platform => Vec::new(),
        (Ok(_), _) => silent(machine, found),
    }
}

/// Why no driver answers.
fn silent(machine: &Machine, found: &Found<'_>) -> Vec<String> {
    let registered = machine.registered.iter().map(|driver| {
        format!("the driver {driver} is registered, but does not answer; `ldd {driver}` may say why")
    });
    let hidden = found.chosen_vendors.iter().filter(|_| machine.registered.is_empty()).map(|folder| {
        let otherwise = match machine.hidden.as_slice() {
            [] => String::new(),
            drivers => format!("; without the variable, there is {}", drivers.join(", ")),
        };
        format!("`{VENDORS_VARIABLE}={folder}` registers no driver{otherwise}")
    });
    registered.chain(hidden).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static INSTALLED: Result<String, String> = Ok(String::new());

    fn machine() -> Machine {
        Machine { registered: vec!["libpocl.so.2".to_owned()], has_loader: true, ..Machine::default() }
    }

    fn found(loader: &Result<String, String>) -> Found<'_> {
        Found { loader, chosen_library: None, has_platform: false, chosen_vendors: None }
    }

    #[test]
    fn a_variable_that_names_no_library_is_to_blame_and_not_the_installation() {
        let none = Err("no OpenCL library could be opened".to_owned());
        let chosen = Found { chosen_library: Some("/nowhere".to_owned()), ..found(&none) };
        assert_eq!(
            of(&machine(), &chosen),
            [
                "`OPENCL_DYLIB_PATH=/nowhere` names no OpenCL library; without the variable, the one that is installed is opened"
            ]
        );
        let bare = Machine { has_loader: false, ..machine() };
        assert_eq!(of(&bare, &chosen), ["`OPENCL_DYLIB_PATH=/nowhere` names no OpenCL library"]);
        assert_eq!(of(&machine(), &found(&none)), Vec::<String>::new());
    }

    #[test]
    fn a_variable_that_hides_drivers_is_to_blame_and_not_the_drivers() {
        let elsewhere = Found { chosen_vendors: Some("/nowhere".to_owned()), ..found(&INSTALLED) };
        let hidden = Machine { hidden: machine().registered, registered: Vec::new(), ..machine() };
        assert_eq!(
            of(&hidden, &elsewhere),
            ["`OCL_ICD_VENDORS=/nowhere` registers no driver; without the variable, there is libpocl.so.2"]
        );
        let silent =
            "the driver libpocl.so.2 is registered, but does not answer; `ldd libpocl.so.2` may say why";
        assert_eq!(of(&machine(), &elsewhere), [silent]);
        assert_eq!(of(&machine(), &found(&INSTALLED)), [silent]);
        assert_eq!(of(&machine(), &Found { has_platform: true, ..elsewhere }), Vec::<String>::new());
    }
}
