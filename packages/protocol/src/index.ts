// Public door of @rollcall/protocol. Wire vocabulary of the Nacos naming protocols: names, codecs, limits, error codes.

export {};
