// The examples of the published document, to be changed by a test where it has something to say.
export * from '#contract/exchange/example/event.ts'
