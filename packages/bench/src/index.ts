// Public door of @rollcall/bench. Load generator and scenarios.

export {};
