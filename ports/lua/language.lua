-- What the language and its libraries do; the host's Lua says what is right.
local function show(...) print(string.format(...)) end

-- numbers
show("%d %d %d", 7 // 2, -7 // 2, -7 % 3)
show("%.14g %.14g %.14g %.14g", 1 / 3, 2 ^ 0.5, 1e300 * 1e10, -7.5 % 2)
print(math.maxinteger + 1 == math.mininteger, 3 | 4, ~0 >> 60, 1 << 63, 10 // 0.0, 0 / 0 ~= 0 / 0)
print(math.type(3), math.type(3.0), 3 == 3.0, "10" + 5, "0x10" * 1, tostring(1e15), 2 ^ 53)
show("%.10f %.10f %.10f", math.sin(1), math.exp(1), math.log(10, 2))
print(math.tointeger(3.0), math.ult(1, -1), math.fmod(-7, 3), math.abs(-0.0))
print(pcall(function() return 1 // 0 end))
print(tonumber("1e1"), tonumber("z", 36), tonumber(""), 0x.8p1)

-- strings
print(("hello world"):gsub("o", "0"), ("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
for word, at in ("one two three"):gmatch("(%a+)()") do io.write(word, ":", at, " ") end
print(("x"):rep(5, ","), ("abc"):byte(1, -1), ("%q"):format("a\nb\0c"))
print(string.pack("<i4d", 77, 1.5):byte(1, -1))
print(utf8.char(228, 8364, 128512), utf8.len("aäb"), #"aäb")

-- tables and metatables
local t = {}
for i = 1, 200 do t[i] = (i * 7919) % 211 end
table.sort(t, function(a, b) return a > b end)
print(table.concat(t, " ", 1, 20), #t, select("#", table.unpack(t, 1, 50)))
local V = {}
V.__index = V
V.__add = function(a, b) return setmetatable({x = a.x + b.x}, V) end
V.__tostring = function(v) return "V(" .. v.x .. ")" end
V.__close = function(v) print("closed", v.x) end
do
	local v <close> = setmetatable({x = 1}, V)
	print(tostring(v + v))
end

-- closures, coroutines, errors
local function counter() local n = 0; return function() n = n + 1; return n end end
local a, b = counter(), counter()
print(a(), a(), b())
local function primes(n)
	return coroutine.wrap(function()
		for i = 2, n do
			local prime = true
			for d = 2, i - 1 do if i % d == 0 then prime = false break end end
			if prime then coroutine.yield(i) end
		end
	end)
end
for p in primes(40) do io.write(p, " ") end
print(select(2, pcall(error, {code = 5})).code, pcall(error, "said", 0))
print(pcall(function() local x; x.y = 1 end))
print(load("return 1 +")) print(load("return ...", "chunk")(42))
local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end
print(deep(10000), pcall(function() local function f() return 1 + f() end return f() end))

-- files
local name = os.tmpname()
local f = assert(io.open(name, "w"))
f:write("first\n", 12, " ", 1.5, "\nlast")
f:close()
for line in io.lines(name) do io.write("[", line, "]") end
f = io.open(name)
print(f:seek("end"), f:seek("set", 6), f:read("n", "n", "L", "a"))
f:close()
print(os.rename(name, name .. "2"), os.remove(name .. "2"), io.open(name) == nil)
print(os.date("!%Y-%m-%d %H:%M:%S", 86400 * 365), os.getenv("nothing"))

-- memory
collectgarbage("collect")
local weak = setmetatable({}, {__mode = "k"})
for i = 1, 1000 do weak[{}] = i end
collectgarbage()
print(next(weak), collectgarbage("count") < 1000)
