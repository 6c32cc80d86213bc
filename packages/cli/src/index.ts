// Public door of @rollcall/cli. The rollcall command.

export {};
