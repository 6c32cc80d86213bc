// Public door of @rollcall/runtime. Ports to the world (clock, random, transport, storage, logger), with real and testing implementations.

export {};
