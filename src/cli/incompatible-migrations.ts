// Migrations that the version before them cannot work with: its processes are stopped before such a migration is applied.
import type { Program } from './programs.ts'

/** Why, by the name of the file; `test/compatibility.test.ts` finds those that are missing. The sandbox is one process. */
export const incompatibleMigrations: Record<Program, Record<string, string>> = {
  platform: {},
  partner: {},
  sandbox: {},
}
