// Public door of @rollcall/server. The registry: pure core, adapters, app.

export {};
