// The migrations of the sandbox's database: those of the packages whose tables it has, and its own.
import { join } from 'node:path'
import type { Migrations } from '@lendloom/postgres/migrate'
import { postgresMigrations } from '@lendloom/postgres/migrations'
import { queueMigrations } from '@lendloom/queue/migrations'

export const migrations: Migrations = {
  folders: [postgresMigrations, queueMigrations, { directory: join(import.meta.dirname, 'migrations') }],
  // With tables that packages bring now. The first one is of 0.1.0, the later ones were never released.
  replaced: [
    {
      name: '001-outside-world.sql',
      digest: '2d9896018aa34054e63293ea1dc179ed80aa9570047b35bef45b3f90d61adfb5',
      by: ['postgres/001-digest-key.sql', 'queue/001-job.sql', '001-tables.sql'],
    },
    {
      name: '002-telemetry.sql',
      digest: '3e1c3bd4dc365d672a423a549b81bcf3a2ae76024e9c5b1bc111db612b529cc1',
      by: ['queue/002-traceparent.sql'],
    },
  ],
}
