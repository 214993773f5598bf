# Varnish 7 in front of the service, with vmod xkey and vmod accept (Debian: varnish, varnish-modules):
#   varnishd -f /srv/calendar/docs/deployment/varnish.vcl -a :6081 -s malloc,1G
# Settings of the service: CDN_MAX_AGE=86400 CDN_STALE_WHILE_REVALIDATE=60 CDN_PURGE=varnish:http://127.0.0.1:6081
# TRUST_PROXY=loopback
vcl 4.1;

import accept;
import std;
import xkey;

backend calendar {
  .host = "127.0.0.1";
  .port = "4000";
  .first_byte_timeout = 15s;
  .probe = {
    .url = "/health/ready";
    .interval = 2s;
    .timeout = 1s;
  }
}

# Who may purge: the addresses of the service.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_init {
  # LANGUAGES, for the landing page at /. The first argument is DEFAULT_LANGUAGE.
  new languages = accept.rule("en");
  languages.add("en");
  languages.add("fr");
  languages.add("es");
  # The two media types of GraphQL.
  new graphql_types = accept.rule("application/json");
  graphql_types.add("application/json");
  graphql_types.add("application/graphql-response+json");
  graphql_types.add("text/event-stream");
  graphql_types.add("text/html");
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # Varnish appends the address of the client, so a comma means that a proxy such as nginx passed the request on.
    if (client.ip !~ purgers || req.http.X-Forwarded-For ~ ",") {
      return (synth(403, "Forbidden"));
    }
    if (!req.http.xkey-purge) {
      return (synth(400, "The header xkey-purge is missing"));
    }
    set req.http.n-purged = xkey.purge(req.http.xkey-purge);
    return (synth(200, "Purged " + req.http.n-purged));
  }
  if (req.url ~ "^/metrics($|\?)") {
    return (synth(403, "Forbidden"));
  }

  # The pages of people who sign in.
  if (req.url ~ "^(/[a-z-]+)?/(account|sign-in|sign-out|edit/preview)([/?]|$)") {
    return (pass);
  }
  # With replicas, a client that wrote sends back how far the database was then.
  if (req.http.Calendar-Write-Position || req.http.Cookie ~ "(^|; *)calendar_write_position=") {
    return (pass);
  }
  # The session of a person counts for nothing but GraphQL by POST.
  if (req.method != "POST") {
    unset req.http.Cookie;
  }
  # Headers that a response in the cache must not depend on.
  unset req.http.X-Server-Timing;

  # Subscriptions stay open. Varnish ends other responses after the parameter send_timeout, 10 minutes.
  if (req.http.Accept ~ "text/event-stream" && req.url ~ "^(/[a-z-]+)?/graphql") {
    set sess.send_timeout = 1d;
    return (pass);
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  if (req.http.Authorization) {
    return (pass);
  }
  # As few variants as the service distinguishes. If CORS_ORIGINS lists sites, also by Origin, such as:
  #   if (req.http.Origin !~ "^https://(one|two)\.example\.org$") { unset req.http.Origin; }
  if (req.url ~ "^(/[a-z-]+)?/graphql") {
    set req.http.Accept = graphql_types.filter(req.http.Accept);
  }
  if (req.url ~ "^/(\?|$)") {
    set req.http.Accept-Language = languages.filter(req.http.Accept-Language);
  }
  return (hash);
}

sub vcl_backend_response {
  # Without keys, a response cannot be purged. Files with a hash in their path never change.
  if (beresp.http.Surrogate-Key) {
    set beresp.http.xkey = beresp.http.Surrogate-Key;
    if (beresp.http.Surrogate-Control ~ "stale-while-revalidate=[0-9]+") {
      set beresp.grace = std.duration(regsub(beresp.http.Surrogate-Control,
        "^.*stale-while-revalidate=([0-9]+).*$", "\1s"), 0s);
    } else {
      set beresp.grace = 0s;
    }
    # Objects that are kept longer would only be used to revalidate them.
    set beresp.keep = 0s;
    # Varnish stores the text compressed, and sends it as the client accepts it.
    set beresp.do_gzip = true;
    # The TTL is that of s-maxage.
    return (deliver);
  }
  if (beresp.http.Cache-Control ~ "immutable" && beresp.status == 200) {
    return (deliver);
  }
  set beresp.uncacheable = true;
  set beresp.ttl = 1s;
  return (deliver);
}

sub vcl_deliver {
  # Keys and times are for CDNs.
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  unset resp.http.Surrogate-Control;
  unset resp.http.CDN-Cache-Control;
  unset resp.http.Cache-Tag;
  unset resp.http.X-Varnish;
  if (resp.http.Cache-Control ~ "s-maxage") {
    set resp.http.Cache-Control = "no-cache";
    # An age would make clients take the response for old.
    unset resp.http.Age;
  }
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
}
