// The migrations of the platform's database.
import { join } from 'node:path'
import type { Migrations } from '@lendloom/postgres/migrate'

export const migrations: Migrations = {
  folders: [{ directory: join(import.meta.dirname, 'migrations') }],
}
