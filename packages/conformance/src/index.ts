// Public door of @rollcall/conformance. Flows run against any Nacos-compatible server with clients that we did not write.

export {};
