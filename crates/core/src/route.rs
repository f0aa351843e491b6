//! Which asks go to whom.

use globset::GlobMatcher;
use jiff::tz::TimeZone;

use crate::{
    id::{Address, PersonName},
    people::{Directory, Tie},
    stage::Unreached,
    words::Language,
};

/// One `[[routes]]` entry.
#[derive(Clone, Debug)]
pub struct Route {
    /// The agent it is for; any, if absent.
    pub agent: Option<String>,
    /// A pattern for the session id; any session or none, if absent.
    pub session: Option<GlobMatcher>,
    /// Who is asked, and where.
    pub to: Vec<Target>,
    /// Who may answer: those listed, else the persons in `to`.
    pub answerers: Vec<PersonName>,
    /// For readers who have no language of their own.
    pub language: Option<Language>,
    /// For readers who have no time zone of their own.
    pub time_zone: Option<TimeZone>,
}

/// A person, or a place that several people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// At each of their accounts.
    Person(PersonName),
    /// A chat, topic, channel or thread.
    Place(Address),
}

/// Where an ask goes and who may answer it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Each address once.
    pub destinations: Vec<Destination>,
    /// Who may answer.
    pub answerers: Vec<PersonName>,
}

/// One address an ask is shown at.
#[derive(Clone, Debug, PartialEq)]
pub struct Destination {
    /// Where.
    pub to: Address,
    /// Whose account it is; `None` for a place.
    pub person: Option<PersonName>,
    /// The route's language, for a reader without one.
    pub language: Option<Language>,
    /// The route's time zone, for a reader without one.
    pub time_zone: Option<TimeZone>,
}

impl Route {
    fn matches(&self, agent: &str, session: Option<&str>) -> bool {
        let agent_fits = self.agent.as_deref().is_none_or(|wanted| wanted == agent);
        let session_fits = self
            .session
            .as_ref()
            .is_none_or(|glob| session.is_some_and(|id| glob.is_match(id)));
        agent_fits && session_fits
    }
}

/// Chooses where the ask of `agent` goes. With any route configured, an ask that matches none reaches nobody; with
/// none, everybody is asked. A plan without destinations is possible: nobody on it has an account.
///
/// # Errors
/// [`Unreached::NoRoute`] where routes exist and none matches.
pub fn choose(
    directory: &Directory,
    ties: &[Tie],
    agent: &str,
    session: Option<&str>,
) -> Result<Plan, Unreached> {
    if directory.routes.is_empty() {
        let everybody: Vec<PersonName> = directory.people.keys().cloned().collect();
        let to: Vec<Target> = everybody.iter().cloned().map(Target::Person).collect();
        return Ok(Plan {
            destinations: spread(directory, ties, &to, None, None),
            answerers: everybody,
        });
    }
    let route = directory
        .routes
        .iter()
        .find(|route| route.matches(agent, session))
        .ok_or(Unreached::NoRoute)?;
    let answerers = if route.answerers.is_empty() {
        route
            .to
            .iter()
            .filter_map(|target| match target {
                Target::Person(person) => Some(person.clone()),
                Target::Place(_) => None,
            })
            .collect()
    } else {
        route.answerers.clone()
    };
    let destinations = spread(
        directory,
        ties,
        &route.to,
        route.language,
        route.time_zone.as_ref(),
    );
    Ok(Plan {
        destinations,
        answerers,
    })
}

fn spread(
    directory: &Directory,
    ties: &[Tie],
    to: &[Target],
    language: Option<Language>,
    time_zone: Option<&TimeZone>,
) -> Vec<Destination> {
    let mut destinations: Vec<Destination> = Vec::new();
    for target in to {
        let (person, addresses) = match target {
            Target::Person(person) => (Some(person.clone()), directory.accounts(person, ties)),
            Target::Place(place) => (None, vec![place.clone()]),
        };
        for to in addresses {
            if destinations.iter().all(|known| known.to != to) {
                let (person, time_zone) = (person.clone(), time_zone.cloned());
                destinations.push(Destination {
                    to,
                    person,
                    language,
                    time_zone,
                });
            }
        }
    }
    destinations
}

#[cfg(test)]
mod tests {
    use globset::Glob;

    use super::*;
    use crate::{id::ChannelName, people::Person};

    fn directory(routes: Vec<Route>) -> Directory {
        let mut directory = Directory::empty();
        for (name, local) in [("sara", "1"), ("omid", "2")] {
            let account = Address::new(ChannelName::new("telegram"), local);
            let person = Person {
                display: name.to_owned(),
                language: None,
                time_zone: None,
                accounts: vec![account],
            };
            directory.people.insert(PersonName::new(name), person);
        }
        directory.routes = routes;
        directory
    }

    fn route(agent: Option<&str>, session: Option<&str>, to: Vec<Target>, answerers: &[&str]) -> Route {
        Route {
            agent: agent.map(str::to_owned),
            session: session.map(|glob| Glob::new(glob).unwrap().compile_matcher()),
            to,
            answerers: answerers.iter().map(|name| PersonName::new(*name)).collect(),
            language: None,
            time_zone: None,
        }
    }

    fn to(name: &str) -> Vec<Target> {
        vec![Target::Person(PersonName::new(name))]
    }

    fn addresses(plan: &Plan) -> Vec<String> {
        plan.destinations.iter().map(|d| d.to.to_string()).collect()
    }

    #[test]
    fn without_any_route_everybody_is_asked() {
        let plan = choose(&directory(vec![]), &[], "bot", None).unwrap();

        assert_eq!(addresses(&plan), ["telegram:2", "telegram:1"]);
        assert_eq!(plan.answerers.len(), 2);
    }

    #[test]
    fn the_first_match_wins_and_a_session_pattern_needs_a_session() {
        let routes = vec![
            route(Some("bot"), Some("web-*"), to("omid"), &[]),
            route(None, None, to("sara"), &[]),
        ];
        let directory = directory(routes);

        let asked = |agent, session| addresses(&choose(&directory, &[], agent, session).unwrap());

        assert_eq!(asked("bot", Some("web-7")), ["telegram:2"]);
        assert_eq!(asked("bot", Some("api-7")), ["telegram:1"]);
        assert_eq!(asked("bot", None), ["telegram:1"]);
        assert_eq!(asked("other", Some("web-7")), ["telegram:1"]);
    }

    #[test]
    fn with_routes_configured_no_match_reaches_nobody() {
        let directory = directory(vec![route(Some("bot"), None, to("sara"), &[])]);

        assert_eq!(choose(&directory, &[], "stranger", None), Err(Unreached::NoRoute));
    }

    #[test]
    fn a_place_is_answered_by_those_listed_and_a_person_by_themselves() {
        let place = Target::Place(Address::new(ChannelName::new("slack"), "C1"));
        let listed = directory(vec![route(None, None, vec![place], &["omid"])]);
        let default = directory(vec![route(None, None, to("sara"), &[])]);

        assert_eq!(
            choose(&listed, &[], "bot", None).unwrap().answerers,
            [PersonName::new("omid")]
        );
        assert_eq!(
            choose(&default, &[], "bot", None).unwrap().answerers,
            [PersonName::new("sara")]
        );
    }

    #[test]
    fn an_account_cut_off_is_asked_nowhere_and_a_paired_one_is() {
        let tie = |local: &str, person: &str, revoked| Tie {
            account: Address::new(ChannelName::new("telegram"), local),
            person: PersonName::new(person),
            at: jiff::Timestamp::UNIX_EPOCH,
            revoked,
        };
        let ties = [
            tie("1", "sara", true),
            tie("9", "sara", false),
            tie("8", "nobody", false),
        ];
        let directory = directory(vec![route(None, None, to("sara"), &[])]);

        assert_eq!(
            addresses(&choose(&directory, &ties, "bot", None).unwrap()),
            ["telegram:9"]
        );
        assert_eq!(directory.owner(&ties[0].account, &ties), None);
        assert_eq!(
            directory.owner(&ties[2].account, &ties),
            None,
            "a person who left owns nothing"
        );
    }
}
