//! Which links Telegram takes, on a button and below a text.

/// Whether `url` leads somewhere. A host without a dot leads nowhere: `http://localhost:7373` is refused, and
/// `http://127.0.0.1:7373` is not. Source: TDLib, `LinkManager::check_link_impl`.
///
/// # Errors
/// What is wrong, as the server says it.
pub(crate) fn check(url: &str) -> Result<(), &'static str> {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (scheme.to_lowercase(), rest),
        None => ("http".to_owned(), url),
    };
    match scheme.as_str() {
        "http" | "https" => {}
        "tg" | "ton" | "tonsite" => return Ok(()),
        _ => return Err("Unsupported URL protocol"),
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.is_empty() {
        return Err("URL host is empty");
    }
    let is_v6 = host.starts_with('[');
    let name = host.split(':').next().unwrap_or_default();
    if !is_v6 && (!name.contains('.') || name.contains(char::is_whitespace)) {
        return Err("Wrong HTTP URL");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_needs_a_host_with_a_dot() {
        for (url, expected) in [
            ("https://askd.example.org/a/1?b#c", Ok(())),
            ("http://127.0.0.1:7373/", Ok(())),
            ("https://[::1]:7373/", Ok(())),
            ("example.org", Ok(())),
            ("tg://user?id=1", Ok(())),
            ("http://localhost:7373/", Err("Wrong HTTP URL")),
            ("not-a-url", Err("Wrong HTTP URL")),
            ("ftp://example.org", Err("Unsupported URL protocol")),
            ("", Err("URL host is empty")),
        ] {
            assert_eq!(check(url), expected, "{url}");
        }
    }
}
