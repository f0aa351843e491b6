//! From the protocol to the broker: what rmcp calls for each message of a client.

use std::sync::Arc;

use askd_core::{
    ask::validate::{Rule, Rules, whole},
    broker::Request,
    id::AskId,
    rights::Denied,
};
use axum::http::request::Parts;
use jiff::SignedDuration;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, JsonObject,
        ListToolsResult, PaginatedRequestParams, ServerConfig, ServerResult, Tool,
    },
    service::RequestContext,
};
use serde_json::Value;

use crate::{
    Desk,
    call::{Call, names_sub_agent, speaks_without_initialize, unknown},
    caller::Caller,
    limits,
    outcome::{Refusal, fault, result},
    repair, tools,
};

/// Answers one request; rmcp makes one for each.
#[derive(Clone, Debug)]
pub(crate) struct Server(pub(crate) Arc<Desk>);

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        tools::server()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::named(name)
    }

    /// Who may not ask sees no tool.
    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let caller = context
            .extensions
            .get::<Parts>()
            .and_then(|parts| parts.extensions.get::<Caller>());
        let may_ask = caller.is_some_and(|caller| caller.may_ask().is_ok());
        let tools = if may_ask && !names_sub_agent(&context.meta) {
            tools::all()
        } else {
            Vec::new()
        };
        // Without a word on it, rmcp tells proxies that the list is for this caller alone.
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request
            .arguments
            .map_or_else(|| Value::Object(JsonObject::new()), Value::Object);
        self.call(&request.name, arguments, request.request_state, context)
            .await
    }

    /// A call whose arguments are no object does not look like a call to rmcp. Here it does, and gets its faults.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.unwrap_or_default();
        match params["name"].as_str() {
            Some(name) if request.method == "tools/call" => {
                let arguments = params.get("arguments").cloned().unwrap_or_default();
                let state = params["requestState"].as_str().map(str::to_owned);
                let is_modern = speaks_without_initialize(&context.meta);
                let response = self.call(name, arguments, state, context).await?;
                let mut result = ServerResult::from(response);
                if !is_modern {
                    // rmcp does this for the calls it knows.
                    result.strip_result_type_for_legacy_peer();
                }
                serde_json::to_value(result)
                    .map(CustomResult::new)
                    .map_err(|_| ErrorData::internal_error("a result is not JSON", None))
            }
            _ => Err(unknown(request.method)),
        }
    }
}

impl Server {
    async fn call(
        &self,
        tool: &str,
        arguments: Value,
        state: Option<String>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut call = Call::begin(&self.0, context)?;
        let answered = match tool {
            tools::ASK => self.ask(&mut call, arguments, state).await,
            tools::WAIT => self.wait(&mut call, arguments, state).await,
            other => {
                return Err(ErrorData::invalid_params(
                    format!("there is no tool {other}"),
                    None,
                ));
            }
        };
        Ok(answered.unwrap_or_else(|refusal| CallToolResult::from(refusal).into()))
    }

    async fn ask(
        &self,
        call: &mut Call,
        arguments: Value,
        state: Option<String>,
    ) -> Result<CallToolResponse, Refusal> {
        call.may_ask()?;
        let desk = &self.0;
        let hold = call.hold(desk);
        if let Some(ask) = self.handed_over(call, state)? {
            return desk.wait(call, ask, hold, &[]).await;
        }
        let (body, notes) = repair::ask(arguments);
        let request = Request {
            body,
            key: call.key.clone(),
            agent: call.agent.clone(),
            rules: Rules::default(),
        };
        let asked = desk.broker.ask(&call.caller.principal, request).await;
        let record = match asked {
            Ok(accepted) => accepted.record,
            Err(error) => return Err(Refusal::from(error).with_notes(notes)),
        };
        match desk.wait(call, record.ask.id, hold, &notes).await {
            // It is stored: a wait that fails must not look as if it were not, or it would be asked twice.
            Err(refusal) if refusal.passes() => Ok(result(&record.ask, &notes).into()),
            waited => waited,
        }
    }

    async fn wait(
        &self,
        call: &mut Call,
        arguments: Value,
        state: Option<String>,
    ) -> Result<CallToolResponse, Refusal> {
        call.may_ask()?;
        let (arguments, mut notes) = repair::unquoted_arguments(arguments);
        let Wanted { ask, hold, note } = match Wanted::read(&arguments) {
            Ok(wanted) => wanted,
            Err(refusal) => return Err(refusal.with_notes(notes)),
        };
        notes.extend(note);
        let ask = self.handed_over(call, state)?.unwrap_or(ask);
        let hold = call.hold(&self.0).map_or(hold, |own| own.min(hold));
        self.0.wait(call, ask, Some(hold), &notes).await
    }

    /// The ask that a call goes on with which the last askd handed over.
    fn handed_over(&self, call: &Call, state: Option<String>) -> Result<Option<AskId>, Refusal> {
        let Some(state) = state else { return Ok(None) };
        let token = &call.caller.principal.token;
        let clock = self.0.broker.clock();
        Ok(Some(self.0.options.hand_over.open(token, &state, clock)?))
    }
}

/// What `ask_user_wait` was asked for.
struct Wanted {
    ask: AskId,
    hold: SignedDuration,
    note: Option<String>,
}

impl Wanted {
    /// Reads the arguments, noting every fault.
    fn read(arguments: &Value) -> Result<Self, Refusal> {
        let mut faults = Vec::new();
        let Value::Object(fields) = arguments else {
            let not_object = fault("", Rule::NotObject, "must be an object", Some(arguments));
            return Err(Refusal::arguments(vec![not_object]));
        };
        for (name, value) in fields
            .iter()
            .filter(|(name, _)| !["askId", "waitSeconds"].contains(&name.as_str()))
        {
            let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
            faults.push(fault(
                &pointer,
                Rule::UnknownField,
                "is not a known field",
                Some(value),
            ));
        }
        let id = match fields.get("askId") {
            Some(Value::String(text)) => text.trim(),
            Some(other) => {
                faults.push(fault("/askId", Rule::NotText, "must be a string", Some(other)));
                ""
            }
            None => {
                faults.push(fault(
                    "/askId",
                    Rule::Missing,
                    "is required: the askId of the pending result",
                    None,
                ));
                ""
            }
        };
        let longest = limits::WAIT.as_secs();
        let seconds = match fields.get("waitSeconds") {
            None => longest,
            Some(value) => value.as_number().and_then(whole).unwrap_or_else(|| {
                faults.push(fault(
                    "/waitSeconds",
                    Rule::NotInteger,
                    "must be a whole number of seconds, without quotes",
                    Some(value),
                ));
                longest
            }),
        };
        if !faults.is_empty() {
            return Err(Refusal::arguments(faults));
        }
        let used = seconds.clamp(0, longest);
        let note = match seconds {
            // What saturated was never received.
            i64::MIN | i64::MAX => Some(format!("waitSeconds was far out of range; {used} is used.")),
            _ => (used != seconds).then(|| format!("waitSeconds was {seconds}; {used} is used.")),
        };
        Ok(Self {
            // What is no id names no ask.
            ask: AskId::parse(id).ok_or(Denied::NotYours)?,
            hold: SignedDuration::from_secs(used),
            note,
        })
    }
}
