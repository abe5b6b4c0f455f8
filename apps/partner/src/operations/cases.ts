// What the command line may do with cases.
export { sandboxRules as partnerRules } from '#partner/origination/case/sandbox-rules.ts'
export { ownersOf } from '#partner/origination/case/store.ts'
