/** An HTTP client for hosts that the operator configures, such as an email provider or a model server. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Layer } from "effect"
import type { OutboundProxy } from "../../values/OutboundProxy.ts"
import { operatorDispatcher } from "./ProxyTunnel.ts"

/** Through the proxy, unless the host is of a private network. */
export const operatorClient = (proxy: OutboundProxy | undefined) =>
  proxy === undefined
    ? NodeHttpClient.layerUndici
    : NodeHttpClient.layerUndiciNoDispatcher.pipe(
        Layer.provide(Layer.effect(NodeHttpClient.Dispatcher, operatorDispatcher(proxy))),
      )
