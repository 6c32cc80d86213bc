// Public door of @rollcall/protocol. Wire vocabulary of the Nacos naming protocols: names, codecs, limits, error codes.

export * from './agent.js';
export * from './error-code.js';
export * from './form-body.js';
export * from './instance.js';
export * from './java-number.js';
export * from './limits.js';
export * from './metadata-text.js';
export * from './names.js';
export * from './parameters.js';
export * from './registry-error.js';
export * from './service-key.js';
export * from './service-name.js';
