// The grievance messages: IGM 1.0.0 in dialect 2.0.3 (FIS12 §20).

import { isOneOf } from '@lendloom/foundation/record'
import {
  type Action,
  type Callback,
  type ExtraAction,
  type ExtraCallback,
  type ExtraRequest,
  extraRequests,
  isAction,
  isExtraAction,
  type Request,
  requests,
} from '#wire/network/sequence.ts'

const igmRequests = ['issue', 'issue_status'] as const
export const igmCallbacks = ['on_issue', 'on_issue_status'] as const
export const igmActions = [...igmRequests, ...igmCallbacks] as const

export type IgmRequest = (typeof igmRequests)[number]
export type IgmCallback = (typeof igmCallbacks)[number]
export type IgmAction = IgmRequest | IgmCallback

export type AnyAction = Action | IgmAction | ExtraAction
export type AnyRequest = Request | IgmRequest | ExtraRequest
export type AnyCallback = Callback | IgmCallback | ExtraCallback

export const isIgmAction = (text: string): text is IgmAction => isOneOf(igmActions, text)
export const isAnyAction = (text: string): text is AnyAction =>
  isAction(text) || isIgmAction(text) || isExtraAction(text)
export const isIgmRequest = (text: string): text is IgmRequest => isOneOf(igmRequests, text)
export const isAnyRequest = (text: string): text is AnyRequest =>
  isOneOf([...requests, ...igmRequests, ...extraRequests], text)
export const igmRequestOf = (callback: IgmCallback): IgmRequest => (callback === 'on_issue' ? 'issue' : 'issue_status')
export const igmCallbackOf = (request: IgmRequest): IgmCallback => `on_${request}`
export const anyCallbackOf = (request: AnyRequest): AnyCallback => `on_${request}`
