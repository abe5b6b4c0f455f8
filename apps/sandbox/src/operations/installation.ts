// What the command line may do with sealed columns.
export { sandboxColumns } from '#sandbox/sealed-columns.ts'
