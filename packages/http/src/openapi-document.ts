// The parts of an OpenAPI 3.1 document that we use.

export interface SecurityScheme {
  type: string
  scheme?: string
  description?: string
}

export interface Content {
  schema?: object
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}
export interface Body {
  $ref?: string
  description?: string
  required?: boolean
  headers?: object
  content?: Record<string, Content>
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: object
}
export interface Operation {
  operationId?: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: true
  /** The day before which a deprecated operation is not removed. */
  'x-sunset'?: string
  /** The operation id that replaces a deprecated operation. */
  'x-replacement'?: string
  'x-section'?: string
  /** Calls with our packages, for reference pages. */
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type PathItem = { servers?: object[] } & { [Method in (typeof methods)[number]]?: Operation }

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license?: { name: string; identifier: string } }
  servers: { url: string; description?: string; variables?: object }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components?: {
    schemas?: Record<string, object>
    responses?: Record<string, Body>
    securitySchemes?: Record<string, SecurityScheme>
  }
}
