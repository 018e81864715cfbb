package config

import "maps"

// merge lays a document over what the layers below it left in c. The keys that
// hold one value are not among it, see [scalars].
func (c *Config) merge(d *document) {
	if path := (keyPath{"stages"}); d.has(path) {
		c.Stages = d.values.Stages
		c.origins[path.id()] = d.origin(path)
	}
	for name := range d.values.Plugins {
		c.mergePlugin(d, name)
	}
	for event, steps := range d.values.Events {
		path := keyPath{"events", event}
		c.Events[event] = steps
		c.origins.drop(path)
		c.origins[path.id()] = d.origin(path)
		for i := range steps {
			c.origins[path.element(i).id()] = d.origin(path.element(i))
		}
	}
}

// mergePlugin lays a plugin's entry over the lower one. An entry that names the
// program starts afresh: settings, variables and limits that were meant for
// another program must not reach this one.
func (c *Config) mergePlugin(d *document, name string) {
	path := keyPath{"plugins", name}
	above := d.values.Plugins[name]
	plugin, known := c.Plugins[name]
	names := d.has(path.with("builtin")) || d.has(path.with("command"))
	if !known || names {
		plugin = Plugin{Name: name, Origin: d.origin(path)}
		c.origins.drop(path)
		c.origins[path.id()] = plugin.Origin
	}
	take := func(key string, assign func()) {
		if below := path.with(key); d.has(below) {
			assign()
			c.origins[below.id()] = d.origin(below)
		}
	}
	take("builtin", func() { plugin.Builtin = above.Builtin; plugin.Origin = d.origin(path.with("builtin")) })
	take("command", func() { plugin.Command = above.Command; plugin.Origin = d.origin(path.with("command")) })
	take("sha256", func() { plugin.SHA256 = above.SHA256 })
	take("settings", func() { plugin.Settings = c.mergeSettings(d, path.with("settings"), plugin.Settings, above.Settings) })
	take("env", func() { plugin.Env = above.Env })
	take("mtls", func() { plugin.MTLS = above.MTLS })
	take("start_timeout", func() { plugin.StartTimeout = above.StartTimeout })
	take("call_timeout", func() { plugin.CallTimeout = above.CallTimeout })
	take("stop_timeout", func() { plugin.StopTimeout = above.StopTimeout })
	c.Plugins[name] = plugin
}

// mergeSettings returns low with the values of high laid over it. Maps merge;
// everything else replaces what is below.
func (c *Config) mergeSettings(d *document, path keyPath, low, high map[string]any) map[string]any {
	merged := map[string]any{}
	maps.Copy(merged, low)
	for key, value := range high {
		below := path.with(key)
		lowMap, lowIsMap := merged[key].(map[string]any)
		highMap, highIsMap := value.(map[string]any)
		if !lowIsMap || !highIsMap {
			c.origins.drop(below)
		}
		if highIsMap {
			value = c.mergeSettings(d, below, lowMap, highMap)
		}
		merged[key] = value
		c.origins[below.id()] = d.origin(below)
	}
	return merged
}

// finishPlugins gives each plugin the timeouts that it does not set itself.
func (c *Config) finishPlugins() {
	for name, plugin := range c.Plugins {
		if plugin.StartTimeout == 0 {
			plugin.StartTimeout = c.StartTimeout
		}
		if plugin.CallTimeout == 0 {
			plugin.CallTimeout = c.CallTimeout
		}
		if plugin.StopTimeout == 0 {
			plugin.StopTimeout = c.StopTimeout
		}
		c.Plugins[name] = plugin
	}
}
