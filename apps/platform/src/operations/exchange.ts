// What the command line may do with lending partners and their settings.
export { partnerSendersOf } from '#platform/lenders/partner/directory/store.ts'
export { defaultRules, type SandboxPartner } from '#platform/lenders/partner/settings.ts'
