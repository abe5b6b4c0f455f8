// Migrations that are incompatible with the previous version, whose processes must stop before they are applied.
import type { Program } from './program-names.ts'

/** The reason by file name; `tests/full/installation/compatibility.test.ts` finds missing entries. The sandbox needs none. */
export const incompatibleMigrations: Record<Program, Record<string, string>> = {
  platform: {},
  partner: {},
  sandbox: {},
}
