//! Forms: the view that stands open before somebody, and what comes of sending it in.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    blocks,
    envelopes::{Act, Kind},
    refusal::Refusal,
    render::Input,
    state::{State, TEAM},
    triggers::Trigger,
    wire,
};

#[derive(Debug, Default)]
pub(crate) struct Views {
    /// The view on top, by account. The app of this fake has one open at a time.
    open: BTreeMap<String, View>,
    sent: usize,
}

/// A view that is open.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) id: String,
    pub(crate) hash: String,
    /// As the app gave it, with ids for all blocks.
    pub(crate) shape: Value,
    /// In which conversation it was opened.
    pub(crate) channel: String,
    /// What stands below an input in red, by block.
    pub(crate) errors: BTreeMap<String, String>,
}

impl State {
    /// Opens a view before whoever made the trigger.
    pub(crate) fn open_view(&mut self, trigger: &Trigger, view: Value) -> View {
        let opened = View {
            id: self.new_id("V"),
            hash: self.new_hash(),
            shape: view,
            channel: trigger.channel.clone(),
            errors: BTreeMap::new(),
        };
        self.views.open.insert(trigger.who.clone(), opened.clone());
        self.answers.give(&trigger.channel, &trigger.who);
        self.tell_view(&trigger.who, &opened, "opens");
        opened
    }

    /// Puts another view in the place of one that is open.
    pub(crate) fn update_view(&mut self, id: &str, hash: Option<&str>, view: Value) -> Result<View, Refusal> {
        let view = self.checked_view(view)?;
        let hash_now = self.new_hash();
        let found = self.views.open.iter_mut().find(|(_, open)| open.id == id);
        let (who, open) = found.ok_or_else(|| Refusal::of("not_found"))?;
        if hash.is_some_and(|hash| hash != open.hash) {
            return Err(Refusal::of("hash_conflict"));
        }
        open.shape = view;
        open.hash = hash_now;
        open.errors.clear();
        let (who, open) = (who.clone(), open.clone());
        self.answers.give(&open.channel, &who);
        let text = self.view_text(&open, &who);
        self.answers.told.push((who.clone(), text));
        self.tell_view(&who, &open, "changes");
        Ok(open)
    }

    /// A view that fits, with ids for all its blocks.
    pub(crate) fn checked_view(&mut self, view: Value) -> Result<Value, Refusal> {
        let view = blocks::check_view(view, || self.new_id("b"))?;
        let shown = self.shown_blocks(view["blocks"].as_array().map_or(&[], Vec::as_slice), "");
        for fault in shown.faults {
            self.violation("view", fault);
        }
        Ok(view)
    }

    fn new_hash(&mut self) -> String {
        let number = self.new_id("h");
        format!("{}.{number}", self.now.as_second())
    }

    /// The view that is open before somebody.
    pub(crate) fn view_before(&self, who: &str) -> Option<&View> {
        self.views.open.get(who)
    }

    /// The inputs of a view.
    pub(crate) fn inputs(&self, view: &View, who: &str) -> Vec<Input> {
        let blocks = view.shape["blocks"].as_array().map_or(&[][..], Vec::as_slice);
        self.shown_blocks(blocks, who).inputs
    }

    fn view_text(&self, view: &View, who: &str) -> String {
        let blocks = view.shape["blocks"].as_array().map_or(&[][..], Vec::as_slice);
        self.shown_blocks(blocks, who).text()
    }

    /// Somebody sends in the view that is open before them; `typed` has what stands in each input, in order.
    pub(crate) fn send_view(&mut self, who: &str, typed: &[String]) {
        let view = self.view_before(who).expect("a form is open").clone();
        let mut values = Map::new();
        for (input, text) in self.inputs(&view, who).iter().zip(typed) {
            // An empty input is null, and not an empty text.
            let value = Some(text.as_str()).filter(|text| !text.is_empty());
            let mut of_block = Map::new();
            of_block.insert(
                input.action_id.clone(),
                json!({"type": "plain_text_input", "value": value}),
            );
            values.insert(input.block_id.clone(), of_block.into());
        }
        let trigger = self.new_trigger(who, &view.channel);
        let payload = json!({
            "type": "view_submission", "team": wire::team(), "user": self.acting_user(who),
            "api_app_id": self.app.id, "token": "fake-verification-token", "trigger_id": trigger,
            "view": self.view_json(&view, &values.into()), "response_urls": [],
            "is_enterprise_install": false, "enterprise": null,
        });
        self.views.sent += 1;
        let key = format!("view/{}/{}", view.id, self.views.sent);
        let act = Act::new(&view.channel, who, key, true);
        self.push(Kind::Form { view: view.id }, payload, Some(act));
    }

    /// Somebody closes it. The app is told if it asked for that.
    pub(crate) fn close_view(&mut self, who: &str) {
        let view = self.views.open.remove(who).expect("a form is open");
        self.tell(
            &view.channel,
            None,
            &format!("{} closes the form", self.name_of(who).unwrap_or_default()),
        );
        if view.shape["notify_on_close"] == true {
            let payload = json!({
                "type": "view_closed", "team": wire::team(), "user": self.acting_user(who),
                "api_app_id": self.app.id, "token": "fake-verification-token",
                "view": self.view_json(&view, &json!({})), "is_cleared": false,
                "is_enterprise_install": false, "enterprise": null,
            });
            self.push(Kind::Closed, payload, None);
        }
    }

    /// The app acknowledged a view that was sent in: it closes, unless the payload says otherwise.
    pub(crate) fn form_answered(&mut self, id: &str, payload: Option<Value>) {
        let found = self.views.open.iter().find(|(_, open)| open.id == id);
        let Some((who, view)) = found.map(|(who, view)| (who.clone(), view.clone())) else {
            return;
        };
        let Some(payload) =
            payload.filter(|payload| payload.as_object().is_none_or(|fields| !fields.is_empty()))
        else {
            self.views.open.remove(&who);
            return;
        };
        match payload["response_action"].as_str().unwrap_or_default() {
            "clear" => {
                self.views.open.remove(&who);
            }
            "errors" => self.show_errors(&who, &view, &payload["errors"]),
            "update" => {
                if let Err(refusal) = self.update_view(&view.id, None, payload["view"].clone()) {
                    self.note("view", &refusal);
                }
            }
            other => self.violation(
                "view",
                format!("the fake does not model response_action {other:?}"),
            ),
        }
    }

    fn show_errors(&mut self, who: &str, view: &View, errors: &Value) {
        let inputs = self.inputs(view, who);
        let mut shown = BTreeMap::new();
        for (block, text) in errors.as_object().into_iter().flatten() {
            match text.as_str() {
                Some(text) if inputs.iter().any(|input| input.block_id == *block) => {
                    shown.insert(block.clone(), text.to_owned());
                }
                _ => self.violation("view", "errors for what is no input"),
            }
        }
        if shown.is_empty() {
            self.violation("view", "errors without any");
        }
        self.answers.give(&view.channel, who);
        for text in shown.values() {
            self.answers.told.push((who.to_owned(), text.clone()));
            let line = format!(
                "{} reads in the form: \"{text}\"",
                self.name_of(who).unwrap_or_default()
            );
            self.tell(&view.channel, None, &line);
        }
        if let Some(open) = self.views.open.get_mut(who) {
            open.errors = shown;
        }
    }

    /// A view, as the app gets it.
    pub(crate) fn view_json(&self, view: &View, values: &Value) -> Value {
        let given = |name: &str| view.shape.get(name).cloned();
        let or = |name: &str, otherwise: Value| given(name).unwrap_or(otherwise);
        json!({
            "id": view.id, "team_id": TEAM, "type": "modal", "blocks": view.shape["blocks"],
            "private_metadata": or("private_metadata", "".into()), "callback_id": or("callback_id", "".into()),
            "state": {"values": values}, "hash": view.hash, "title": given("title"),
            "clear_on_close": or("clear_on_close", false.into()),
            "notify_on_close": or("notify_on_close", false.into()),
            "close": given("close"), "submit": given("submit"), "previous_view_id": null, "root_view_id": view.id,
            "app_id": self.app.id, "external_id": or("external_id", "".into()),
            "app_installed_team_id": TEAM, "bot_id": self.app.bot,
        })
    }
}
