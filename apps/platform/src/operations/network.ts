// What the command line may do with our entry at the network, its messages and transcripts.
export { authorizationHeader, identityOf, type NetworkContext } from '#platform/network/identity.ts'
export { readInbound } from '#platform/network/inbound/store.ts'
export { callLookup, findParticipants, networkDomain, participantsIn } from '#platform/network/registry.ts'
export {
  entryFault,
  isValid,
  type OwnNetworkEntry,
  ownEntry,
  ownEntryFrom,
  ownKeyIn,
  periodWords,
} from '#platform/network/registry-entry.ts'
export { networkNames, networkSettings } from '#platform/network/settings.ts'
export { tenantOfJourney } from '#platform/network/store.ts'
export {
  encryptionPublicKey,
  registryEncryptionKey,
  signingPublicKey,
  subscribe,
  verificationPage,
} from '#platform/network/subscribe.ts'
export { type TranscriptMessage, transcriptOf } from '#platform/network/transcript.ts'
