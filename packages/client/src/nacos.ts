// Second door of @rollcall/client, `@rollcall/client/nacos`: the interface of the npm package `nacos`.

export * from './app/nacos-naming-client.js';
