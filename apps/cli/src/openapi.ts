// `lendloom openapi`: prints the OpenAPI document that the platform serves at /openapi.json.
import { configFrom } from '@lendloom/foundation/config'
import { openApiDocument } from '@lendloom/platform/operations/openapi'
import { settings } from '@lendloom/platform/settings'
import { type CommandCall, command } from './command.ts'
import { newKeys } from './installation-keys.ts'

export const openapi = command({
  name: 'openapi',
  summary: 'print the API as OpenAPI 3.1',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<string, never>>) {
    const { platform, networkSigningKey, networkEncryptionKey } = newKeys()
    // The description of the APIs uses neither a database nor keys, so any valid values work.
    const placeholders = {
      DATABASE_URL: 'postgres://127.0.0.1/unused',
      LENDLOOM_KEYS: platform,
      NETWORK_SIGNING_KEY: networkSigningKey,
      NETWORK_ENCRYPTION_KEY: networkEncryptionKey,
    }
    const config = configFrom(settings, { ...placeholders, ...env })
    const data = openApiDocument(config, config.PUBLIC_URL)
    return { text: JSON.stringify(data, null, 2), data }
  },
})
