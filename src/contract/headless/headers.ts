// Headers that the calls of the headless API carry beside their token, as the OpenAPI tells them (D2 §8, §9).
import { apiVersions } from '#contract/headless/version.ts'
import { OneOf, Type } from '#kit/http/schema.ts'

const idempotencyKey = {
  name: 'Idempotency-Key',
  required: true,
  description: 'The same key with the same content has one effect and one answer; other content is refused with 422.',
  schema: Type.String({ pattern: '^"?[!#-~]{1,255}"?$' }),
}

const version = {
  name: 'X-Lendloom-API-Version',
  required: false,
  description: 'The version of this call; when left out, the one that the API key spoke first.',
  schema: OneOf([...apiVersions]),
}

const correlation = {
  name: 'X-Correlation-ID',
  required: false,
  description: 'Echoed as `correlationID` and in the header of the same name; one is made when there is none.',
  schema: Type.String({ pattern: '^[!-~]{1,128}$' }),
}

export const headlessHeaders = (method: string) =>
  method === 'GET' ? [version, correlation] : [idempotencyKey, version, correlation]
