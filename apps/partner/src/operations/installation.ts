// What the command line may do with settings outside the sandbox and sealed columns.
export { settingsFaults } from '#partner/outside-sandbox.ts'
export { partnerColumns } from '#partner/sealed-columns.ts'
