// Compiles the schemas of all routes, which otherwise happens at the first call, to find invalid schemas early.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { prepare, type TSchema } from '@lendloom/foundation/schema'
import type { Route } from '@lendloom/http/server'
import { partnerApis } from '@lendloom/partner/src/apis.ts'
import { settings } from '@lendloom/platform/settings'
import { platformApis } from '@lendloom/platform/src/apis.ts'
import { apis as sandboxApis } from '@lendloom/sandbox/program'
import { newSealKey } from '@lendloom/seal/seal'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fastify } from 'fastify'
import { platformEnvironment } from './setup/platform.ts'

const credentials = JSON.stringify({
  sender: 'LENDLOOM',
  bearer: 'bearer-for-tests',
  keyId: 'k1',
  secret: 'a-signing-secret-for-tests',
  webhook: {
    sender: 'CELESTIUM',
    bearer: 'bearer-of-the-webhook',
    keys: [{ keyId: 'k2', secret: 'another-secret-for-tests' }],
  },
})
const config = configFrom(settings, {
  ...platformEnvironment('postgres://nobody', 1),
  LENDLOOM_KEYS: newSealKey('k1'),
  PARTNER_URL: 'http://127.0.0.1:9',
  PARTNER_CREDENTIALS: credentials,
})

// biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
const programs: Record<string, { routes: Route<any, any, any, any, any>[] }[]> = {
  platform: platformApis({ config }),
  partner: partnerApis,
  sandbox: sandboxApis,
}

/** The schema formats that the programs support. */
const standard = new Ajv2020({ strict: false })

for (const [program, apis] of Object.entries(programs))
  test(`every schema of the ${program}'s routes compiles, for validating requests and serializing responses`, async () => {
    const routes = apis.flatMap((api) => api.routes)
    assert.ok(routes.length > 10, `${routes.length} routes`)
    const app = fastify()
    for (const { method, path, params, query, body, reply = {} } of routes) {
      for (const schema of [params, query, body] as (TSchema | undefined)[]) {
        if (!schema) continue
        assert.ok(standard.validateSchema(schema), `${method} ${path}: ${standard.errorsText()}`)
        prepare(schema)
      }
      const response = Object.fromEntries(Object.entries(reply).filter(([status]) => Number(status) < 300))
      app.route({ method, url: path.replace(/\{(\w+)\}/g, ':$1'), schema: { response }, handler: () => null })
    }
    await app.ready()
    await app.close()
  })
