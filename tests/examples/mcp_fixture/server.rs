//! What rmcp calls for each message of the suite.

use std::borrow::Cow;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
        GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
        ReadResourceRequestParams, ReadResourceResponse, RequestStateCodec, ServerConfig,
        SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::{asking, offers, tools};

/// A list that a diagnostic tool says has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    Tools,
    Prompts,
}

/// The server that the suite talks to.
#[derive(Clone, Debug)]
pub(crate) struct Fixture {
    /// Told to whoever listens.
    pub(crate) changes: broadcast::Sender<Changed>,
    /// Seals what a call hands to the client.
    pub(crate) states: RequestStateCodec,
}

impl Default for Fixture {
    fn default() -> Self {
        Self {
            changes: broadcast::Sender::new(16),
            states: RequestStateCodec::try_new([7; 32]).expect("32 bytes are what the codec asks for"),
        }
    }
}

/// A value of the protocol from how it looks on the wire.
pub(crate) fn wire<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the fixture's own messages are right")
}

/// A result that ends its request. rmcp takes the mark off for clients of older revisions.
pub(crate) fn complete<T: DeserializeOwned>(mut result: Value) -> T {
    result["resultType"] = json!("complete");
    wire(result)
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        wire(json!({
            "protocolVersion": ProtocolVersion::LATEST,
            "serverInfo": { "name": "askd-conformance-fixture", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "tools": { "listChanged": true },
                "prompts": { "listChanged": true },
                "resources": { "subscribe": true },
                "completions": {},
                "logging": {},
            },
        }))
    }

    /// What a tool is called with may stand in headers as well, and is compared with them.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tool = tools::all().into_iter().find(|tool| tool["name"] == name)?;
        Some(wire(tool))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(complete(json!({ "tools": tools::all() })))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match asking::call(self, &request, &context)? {
            Some(response) => Ok(response),
            None => tools::call(self, &request, &context).await,
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(complete(json!({ "prompts": offers::prompts() })))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        offers::prompt(&request)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(complete(json!({ "resources": offers::resources() })))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(complete(json!({ "resourceTemplates": offers::templates() })))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        offers::resource(&request.uri)
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(complete(
            json!({ "completion": { "values": ["paris", "park"], "total": 2, "hasMore": false } }),
        ))
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut news = self.changes.subscribe();
        let accepted = context.accepted().clone();
        loop {
            let changed = tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = news.recv() => changed,
            };
            let sink = context.sink();
            let sent = match changed {
                Ok(Changed::Tools) if accepted.tools_list_changed == Some(true) => {
                    sink.notify_tool_list_changed().await
                }
                Ok(Changed::Prompts) if accepted.prompts_list_changed == Some(true) => {
                    sink.notify_prompt_list_changed().await
                }
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => Ok(()),
                Err(broadcast::error::RecvError::Closed) => return Ok(()),
            };
            if sent.is_err() {
                return Ok(());
            }
        }
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }
}
