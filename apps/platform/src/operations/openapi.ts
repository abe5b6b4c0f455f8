// Builds the OpenAPI document of the calls for integrators.
import type { OpenApiDocument } from '@lendloom/http/openapi-document'
import { platformApi } from '#platform/api/reference/openapi.ts'
import { platformApis } from '#platform/apis.ts'
import type { Context } from '#platform/context.ts'

/** Returns the document of a platform at `publicUrl`, with the calls of the sandbox if it is one. */
export const openApiDocument = (config: Pick<Context['config'], 'SANDBOX'>, publicUrl: string): OpenApiDocument =>
  platformApi(platformApis({ config }), publicUrl)
