// The migrations of the platform's database: those of the packages whose tables it has, and its own.
import { join } from 'node:path'
import { eventLogMigrations } from '@lendloom/event-log/migrations'
import { httpMigrations } from '@lendloom/http/migrations'
import { identityMigrations } from '@lendloom/identity/migrations'
import type { Migrations } from '@lendloom/postgres/migrate'
import { postgresMigrations } from '@lendloom/postgres/migrations'
import { queueMigrations } from '@lendloom/queue/migrations'

export const migrations: Migrations = {
  folders: [
    postgresMigrations,
    httpMigrations,
    queueMigrations,
    eventLogMigrations,
    identityMigrations,
    { directory: join(import.meta.dirname, 'migrations') },
  ],
  // With tables that packages bring now. The first one is of 0.1.0, the later ones were never released.
  replaced: [
    {
      name: '001-foundation.sql',
      digest: 'e7ad33eb6e2e5a3bf25b1223a5ad4241d767d1b55ebcc6dd9833ca833e41a67f',
      by: [
        'postgres/001-digest-key.sql',
        'queue/001-job.sql',
        'event-log/001-inbox-and-outbox.sql',
        'identity/001-sign-in.sql',
        '001-tables.sql',
      ],
    },
    {
      name: '004-telemetry.sql',
      digest: '261a8d9f2ebb7d82262ce81877b50ecae75532d13eb9028ca9a15c87381c629b',
      by: ['queue/002-traceparent.sql', 'event-log/002-traceparent.sql', '004-delivery-traceparent.sql'],
    },
    {
      name: '007-request-count.sql',
      digest: 'd804ef89c38b8ac0f9ea61e6fed88f386b943da76f90e642e86924d3b769cc19',
      by: ['http/001-request-count.sql'],
    },
    {
      name: '008-archive.sql',
      digest: '72855216c2f31a85250235a799db629d01008750d8aeddc755bb75542cf807e8',
      by: ['event-log/003-archived-bodies.sql', '008-archived-messages.sql'],
    },
    {
      name: '027-keyed-content.sql',
      digest: '377efb8d3185cee1a4e02ac59fc36f01864b0e63db2e32a03d1b929a6f88424f',
      by: ['event-log/004-keyed-content.sql', '027-keyed-requests.sql'],
    },
    {
      name: '028-content-indexes.concurrent.sql',
      digest: '1149b9c5bfa1e681480164fc40d9a088eff01c48157a85de9d2019f81cb502cd',
      by: ['event-log/005-plain-content.concurrent.sql', '028-request-indexes.concurrent.sql'],
    },
    {
      name: '031-session-allowed-by.sql',
      digest: 'd750baf96fa709a1704fc9facec1dfea727680eed4ce2eea7a388c60aa4bbbe3',
      by: ['identity/002-session-allowed-by.sql'],
    },
  ],
}
